import type { ReviewVerdict } from "@weft/shared/records/review-record.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { Reviews } from "../../../api/queries/review-queries.ts";
import { contentUrl } from "../../../components/file-link.tsx";
import { FilePreview, type Companion } from "../../../components/preview/file-preview.tsx";
import { links } from "../../../format/links.ts";
import { fileName, isFileValue } from "../../../format/value-text.ts";
import { Modal } from "../../../ui/modal.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { TimeAgo } from "../../../ui/time-text.tsx";
import { useResultRow } from "../gallery/result-gallery.tsx";
import type { ReviewedSample } from "./review-samples.ts";
import type { ReviewGridProps } from "./review-grid.tsx";
import { numberText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, TextArea } from "../../../ui/field.tsx";

interface ReviewDialogProps extends Omit<ReviewGridProps, "staysAfterMark" | "onOpen"> {
  readonly sample: ReviewedSample;
  readonly onMove: (sample: ReviewedSample) => void;
  readonly onClose: () => void;
}

/** One sample at full size, with its review. NIfTI images can have another image of the sample as overlay. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { samples, sample, onMove, onClose } = props;
  const at = samples.findIndex(({ row }) => row === sample.row);
  const [previous, next] = [samples[at - 1], samples[at + 1]];
  return (
    <Modal title={`${sample.name} (${numberText(at + 1)} of ${numberText(samples.length)})`} onClose={onClose}>
      <div className="space-y-4">
        <Picture {...props} />
        <ReviewForm key={sample.row} {...props} next={next} />
        <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
          <Button small disabled={previous === undefined} onClick={() => previous && onMove(previous)}>
            Previous
          </Button>
          <Button small disabled={next === undefined} onClick={() => next && onMove(next)}>
            Next
          </Button>
          <Link className="link ml-auto" to={links.view({ tab: "jobs", sample: sample.name })}>
            Jobs
          </Link>
        </div>
      </div>
    </Modal>
  );
}

function Picture({ runId, results, sample, output, isThere }: ReviewDialogProps) {
  const row = useResultRow({ runId, text: "", results }, sample.row, true);
  if (row === undefined) return <Skeleton rows={4} />;
  const value = row.cells.find((cell) => cell.output === output)?.value;
  const url = isFileValue(value) ? contentUrl(value) : undefined;
  if (!isFileValue(value) || url === undefined || !isThere) return <p className="text-soft">No file.</p>;
  const companions = row.cells.flatMap(({ output: label, value: other }): Companion[] => {
    const otherUrl = label !== output && isFileValue(other) ? contentUrl(other) : undefined;
    return isFileValue(other) && otherUrl !== undefined
      ? [{ url: otherUrl, name: fileName(other), label, sizeBytes: other.size }]
      : [];
  });
  return <FilePreview key={url} url={url} name={fileName(value)} sizeBytes={value.size} companions={companions} />;
}

type ReviewFormProps = ReviewDialogProps & { readonly next: ReviewedSample | undefined };

function ReviewForm({ next, onMove, onClose, ...props }: ReviewFormProps) {
  const review = props.reviews.get(props.sample.name);
  const { comment, type, save } = useComment(props);
  if (props.mark === undefined) return <Reviewed review={review} />;
  const decide = (verdict: ReviewVerdict): void => {
    save(verdict);
    if (next === undefined) onClose();
    else onMove(next);
  };
  return (
    <div className="space-y-2">
      <Field label="Comment">
        <TextArea className="min-h-16" maxLength={1000} value={comment} onType={type} />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        {(["pass", "fail"] as const).map((verdict) => (
          <Button key={verdict} aria-pressed={review?.verdict === verdict} onClick={() => decide(verdict)}>
            {verdict === "pass" ? "Pass" : "Fail"}
            {next === undefined ? "" : " and next"}
          </Button>
        ))}
        <Button look="quiet" onClick={() => save(review?.verdict ?? null)}>
          Save comment
        </Button>
      </div>
      <Reviewed review={review} />
    </div>
  );
}

/** The comment on a sample. However the user leaves the sample, what they typed is saved. */
function useComment({ sample: { name }, reviews, mark }: Pick<ReviewFormProps, "sample" | "reviews" | "mark">) {
  const review = reviews.get(name);
  const [comment, setComment] = useState(review?.comment ?? "");
  const isUnsaved = useRef(false);
  const save = (verdict: ReviewVerdict | null): void => {
    isUnsaved.current = false;
    mark?.(name, verdict, comment);
  };
  const leave = useEffectEvent(() => isUnsaved.current && save(review?.verdict ?? null));
  useEffect(() => () => void leave(), []);
  const type = (text: string): void => {
    isUnsaved.current = true;
    setComment(text);
  };
  return { comment, type, save };
}

function Reviewed({ review }: { readonly review: ReturnType<Reviews["get"]> }) {
  if (review === undefined) return <p className="text-soft">Not reviewed</p>;
  const { verdict, reviewed_by: by, reviewed_at: time } = review;
  return (
    <p role="status" className="text-soft">
      {verdict === null ? "Comment" : verdict === "pass" ? "Passed" : "Failed"}
      {by !== "" && (
        <>
          {" "}
          by {by}, <TimeAgo time={time} />
        </>
      )}
    </p>
  );
}
