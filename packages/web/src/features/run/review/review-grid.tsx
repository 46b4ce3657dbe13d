import type { RunResults } from "@weft/shared/records/result-record.ts";
import type { ReviewVerdict } from "@weft/shared/records/review-record.ts";
import { useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import type { Reviews } from "../../../api/queries/review-queries.ts";
import { Button } from "../../../ui/button.tsx";
import type { GridCell } from "../../../ui/grid/grid-cursor.ts";
import { Icon } from "../../../ui/icon.tsx";
import { useWidth } from "../../../ui/use-layout.ts";
import { useResultRow } from "../gallery/result-gallery.tsx";
import { ResultTile } from "../gallery/result-tile.tsx";
import { TileGrid } from "../gallery/tile-grid.tsx";
import { verdictOf, type ReviewedSample } from "./review-samples.ts";
import type { Mark } from "./use-marking.ts";

export interface ReviewGridProps {
  readonly runId: string;
  readonly results: RunResults;
  readonly samples: readonly ReviewedSample[];
  readonly reviews: Reviews;
  readonly output: string;
  /** True if the files are still on the disk. */
  readonly isThere: boolean;
  /** Records a review; undefined if the user may only view. */
  readonly mark: Mark | undefined;
  /** False if the filter hides a sample that has been marked. */
  readonly staysAfterMark: boolean;
  readonly onOpen: (sample: ReviewedSample) => void;
}

const TILE_PX = 188;
const ROW_PX = 226;
const KEYS: Readonly<Record<string, ReviewVerdict>> = { p: "pass", f: "fail" };

/** Pictures side by side. P and F mark the sample with the focus, and Enter opens it. */
export function ReviewGrid(props: ReviewGridProps) {
  const { samples, mark } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const perRow = Math.max(1, Math.min(samples.length, Math.floor((width - 16) / TILE_PX)));
  const cursor = useCursor(props);
  const numberOf = ({ row, column }: GridCell) => row * perRow + column;
  const open = (cell: GridCell): void => {
    const sample = samples[numberOf(cell)];
    if (sample === undefined) return;
    cursor.set(numberOf(cell));
    props.onOpen(sample);
  };
  return (
    <div ref={box} onKeyDown={cursor.onKeyDown}>
      {mark !== undefined && <KeyHint />}
      {width > 0 && (
        <TileGrid
          label="Samples to review"
          rows={Math.ceil(samples.length / perRow)}
          columns={perRow}
          rowPx={ROW_PX}
          template={`repeat(${perRow}, minmax(0, 300px))`}
          minWidthPx={0}
          isFramed={false}
          active={{ row: Math.floor(cursor.at / perRow), column: cursor.at % perRow }}
          onActive={(cell) => cursor.go(numberOf(cell))}
          onOpen={open}
          focusRequest={cursor.focusRequest}
          renderCell={(row, column, isScrolling) => {
            const sample = samples[numberOf({ row, column })];
            return sample === undefined ? null : <Tile {...props} sample={sample} isScrolling={isScrolling} />;
          }}
        />
      )}
    </div>
  );
}

function KeyHint() {
  return (
    <p className="mb-2 text-soft max-md:hidden">Press P to pass the selected sample, F to fail it, Enter to open it.</p>
  );
}

/** The sample with the focus, and the keys that mark it. */
function useCursor({ samples, reviews, mark, staysAfterMark }: ReviewGridProps) {
  const [number, set] = useState(0);
  const [focusRequest, setFocusRequest] = useState(0);
  const at = Math.min(number, samples.length - 1);
  const go = (next: number): void => {
    set(Math.max(0, Math.min(samples.length - 1, next)));
    setFocusRequest((before) => before + 1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const verdict = KEYS[event.key.toLowerCase()];
    const isCell = event.target instanceof HTMLElement && event.target.dataset["cell"] !== undefined;
    const sample = samples[at];
    if (verdict === undefined || !isCell || sample === undefined || mark === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    mark(sample.name, toggled(reviews, sample.name, verdict));
    go(staysAfterMark ? at + 1 : at);
  };
  return { at, set, go, focusRequest, onKeyDown };
}

/** Marking a sample twice removes the mark. */
export function toggled(reviews: Reviews, sample: string, verdict: ReviewVerdict): ReviewVerdict | null {
  return verdictOf(reviews, sample) === verdict ? null : verdict;
}

const LOOKS = {
  pass: {
    word: "Pass",
    icon: "check",
    pressed: "aria-pressed:border-success aria-pressed:bg-success-soft aria-pressed:text-success",
  },
  fail: {
    word: "Fail",
    icon: "close",
    pressed: "aria-pressed:border-failed aria-pressed:bg-failed-soft aria-pressed:text-failed",
  },
} as const;

interface TileProps extends ReviewGridProps {
  readonly sample: ReviewedSample;
  readonly isScrolling: boolean;
}

function Tile({ sample, isScrolling, ...props }: TileProps) {
  const { runId, results, reviews, output, mark } = props;
  const row = useResultRow({ runId, text: "", results }, sample.row, !isScrolling);
  const cell = row?.cells.find((found) => found.output === output);
  const review = reviews.get(sample.name);
  return (
    <span className="flex h-full flex-col gap-1">
      <span className="block min-h-0 flex-1">
        <ResultTile cell={cell} title={sample.name} isThere={props.isThere} isScrolling={isScrolling} />
      </span>
      <span className="flex items-center gap-1">
        {mark === undefined ? (
          <span className="text-soft">{review?.verdict == null ? "not reviewed" : `${review.verdict}ed`}</span>
        ) : (
          (["pass", "fail"] as const).map((verdict) => (
            <VerdictButton
              key={verdict}
              verdict={verdict}
              sample={sample.name}
              isOn={review?.verdict === verdict}
              onMark={() => mark(sample.name, toggled(reviews, sample.name, verdict))}
            />
          ))
        )}
        {(review?.comment ?? "") !== "" && (
          <span className="min-w-0 flex-1 truncate text-small text-soft" title={review?.comment}>
            {review?.comment}
          </span>
        )}
      </span>
    </span>
  );
}

interface VerdictButtonProps {
  readonly verdict: ReviewVerdict;
  readonly sample: string;
  readonly isOn: boolean;
  readonly onMark: () => void;
}

function VerdictButton({ verdict, sample, isOn, onMark }: VerdictButtonProps) {
  const { word, icon, pressed } = LOOKS[verdict];
  const click = (event: MouseEvent): void => {
    event.stopPropagation(); // a click on the rest of the tile opens it
    onMark();
  };
  return (
    <Button
      small
      tabIndex={-1}
      aria-pressed={isOn}
      aria-label={`${word} ${sample}`}
      className={pressed}
      onClick={click}
    >
      <Icon name={icon} className="size-3.5" /> {word}
    </Button>
  );
}
