import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { textHeadQuery } from "../../api/queries/file-queries.ts";
import { contentUrl } from "../../components/file-link.tsx";
import { LineDiff } from "../../components/line-diff.tsx";
import { fileName } from "../../format/value-text.ts";
import { Slider } from "../../ui/field.tsx";
import { Modal } from "../../ui/modal.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type FilePair, MARKS, MAX_TEXT_BYTES, differsInLineEndsOnly, isText } from "./compare-runs.ts";

const NiftiPreview = onDemand(() => import("../../components/preview/nifti/nifti-preview.tsx"), <Skeleton rows={8} />);

interface FilePairDialogProps {
  readonly title: string;
  readonly pair: FilePair;
  readonly onClose: () => void;
}

/** Two files at their full size: texts line by line, images with a slider, volumes with linked cursors. */
export function FilePairDialog({ title, pair, onClose }: FilePairDialogProps) {
  const [before, after] = [contentUrl(pair.before), contentUrl(pair.after)];
  return (
    <Modal isLarge title={`${title}: ${MARKS[0]} and ${pair.mark}`} onClose={onClose}>
      {before === undefined || after === undefined ? (
        <p className="text-soft">One of the files was deleted.</p>
      ) : (
        <PairView pair={pair} before={before} after={after} />
      )}
    </Modal>
  );
}

interface PairViewProps {
  readonly pair: FilePair;
  /** The URL of the older content. */
  readonly before: string;
  readonly after: string;
}

function PairView({ pair, before, after }: PairViewProps) {
  switch (pair.kind) {
    case "text":
      return <ReadDifference pair={pair} before={before} after={after} />;
    case "image":
      return <ImageSlider before={before} after={after} mark={pair.mark} />;
    case "volume":
      return (
        <NiftiPreview
          url={before}
          name={`${MARKS[0]}: ${fileName(pair.before)}`}
          companions={[{ url: after, name: fileName(pair.after), label: pair.mark, sizeBytes: pair.after.size }]}
          showsCompanionFirst
        />
      );
  }
}

function ReadDifference({ pair, before, after }: PairViewProps) {
  const first = useQuery(textHeadQuery(before, MAX_TEXT_BYTES));
  const second = useQuery(textHeadQuery(after, MAX_TEXT_BYTES));
  return (
    <QueryView query={first} rows={2}>
      {({ text: old }) => (
        <QueryView query={second} rows={2}>
          {({ text: fresh }) => (
            <Difference label={`Line diff of ${pair.name}: A, ${pair.mark}`} texts={[old, fresh]} />
          )}
        </QueryView>
      )}
    </QueryView>
  );
}

function Difference({ label, texts }: { readonly label: string; readonly texts: readonly [string, string] }) {
  const [before, after] = texts;
  if (!isText(before) || !isText(after)) return <p className="text-soft">Binary files</p>;
  if (differsInLineEndsOnly(before, after)) return <p className="text-soft">Only line endings differ.</p>;
  return <LineDiff label={label} before={before} after={after} />;
}

interface ImageSliderProps {
  readonly before: string;
  readonly after: string;
  /** Label of the other run. */
  readonly mark: string;
}

/** Two images on top of each other: the first left of the slider, the other right of it. */
function ImageSlider({ before, after, mark }: ImageSliderProps) {
  const [share, setShare] = useState(50);
  return (
    <div className="mx-auto max-w-5xl space-y-2">
      <label className="flex items-center gap-3">
        <span className="font-semibold">{MARKS[0]}</span>
        <Slider
          className="min-w-0 flex-1"
          aria-label={`Portion showing ${MARKS[0]}`}
          aria-valuetext={`${share} % ${MARKS[0]}, ${100 - share} % ${mark}`}
          min={0}
          max={100}
          value={share}
          onChange={(event) => setShare(event.target.valueAsNumber)}
        />
        <span className="font-semibold">{mark}</span>
      </label>
      <div className="relative h-[70vh] overflow-hidden rounded-lg border border-line bg-white">
        <img src={after} alt={mark} className="absolute inset-0 size-full object-contain [image-rendering:auto]" />
        <img
          src={before}
          alt={MARKS[0]}
          className="absolute inset-0 size-full bg-white object-contain"
          style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-0.5 bg-[#4338ca]"
          style={{ left: `${share}%` }}
        />
      </div>
    </div>
  );
}
