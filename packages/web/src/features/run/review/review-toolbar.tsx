import type { Run } from "@weft/shared/records/run-record.ts";
import { useNavigate } from "react-router-dom";
import type { Reviews } from "../../../api/review-queries.ts";
import { tableFileUrl } from "../../../api/table-queries.ts";
import { hasForm, runAgainPath, type LeftOutSamples } from "../../../components/run-paths.ts";
import { useCanRunAgain } from "../../../components/use-can-run-again.ts";
import { countText, numberText } from "../../../format/count-text.ts";
import { Icon } from "../../../ui/icon.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { countReviews, REVIEW_FILTERS, verdictOf, type ReviewedSample } from "./review-samples.ts";

export interface ReviewToolbarProps {
  readonly run: Run;
  readonly samples: readonly ReviewedSample[];
  readonly reviews: Reviews;
  readonly outputs: readonly string[];
  readonly output: string;
  readonly onOutput: (output: string) => void;
}

const REVIEW_FIELDS = ["review.verdict", "review.comment", "review.reviewed_by"];

/** Which samples and which output to show, the progress, and what to do with the result. */
export function ReviewToolbar({ run, samples, reviews, outputs, output, onOutput }: ReviewToolbarProps) {
  const { passed, failed, open } = countReviews(samples, reviews);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ReviewSelect samples={samples} reviews={reviews} />
      {outputs.length > 1 && (
        <select
          aria-label="Output"
          className="input w-auto max-w-56"
          value={output}
          onChange={(event) => onOutput(event.target.value)}
        >
          {outputs.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <span role="status" className="text-soft tabular-nums">
        {passed} passed, {failed} failed, {open} not reviewed
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <RunPassed run={run} samples={samples} reviews={reviews} />
        <a className="btn max-md:min-h-11" href={tableFileUrl([run.run_id], REVIEW_FIELDS, "csv")} download>
          <Icon name="download" className="size-3.5" /> Reviews as CSV
        </a>
      </span>
    </div>
  );
}

function ReviewSelect({ samples, reviews }: Pick<ReviewToolbarProps, "samples" | "reviews">) {
  const [filter, setFilter] = useSearchParam("review");
  const { passed, failed, open } = countReviews(samples, reviews);
  const counts: Readonly<Record<string, number>> = { "": samples.length, none: open, pass: passed, fail: failed };
  return (
    <select
      aria-label="Reviews"
      className="input w-auto"
      value={filter}
      onChange={(event) => setFilter(event.target.value)}
    >
      {REVIEW_FILTERS.map(({ id, label }) => (
        <option key={id} value={id}>
          {label} ({numberText(counts[id] ?? 0)})
        </option>
      ))}
    </select>
  );
}

/** Opens the form of the network with the inputs of the samples that passed. */
function RunPassed({ run, samples, reviews }: Pick<ReviewToolbarProps, "run" | "samples" | "reviews">) {
  const navigate = useNavigate();
  const canRun = useCanRunAgain(run);
  const others = samples.filter(({ name }) => verdictOf(reviews, name) !== "pass");
  const count = samples.length - others.length;
  const indexes = others.flatMap(({ index }) => index ?? []);
  if (!canRun || run.network === undefined || !hasForm(run) || count === 0 || indexes.length < others.length)
    return null;
  const runAgain = (): void => {
    const state: LeftOutSamples = { leftOut: { names: others.map(({ name }) => name), indexes } };
    void navigate(runAgainPath(run), others.length === 0 ? {} : { state });
  };
  return (
    <button type="button" className="btn max-md:min-h-11" onClick={runAgain}>
      <Icon name="again" /> Run again with {countText(count, "sample")} that passed
    </button>
  );
}
