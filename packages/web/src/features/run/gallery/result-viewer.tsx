import type { ResultCell, ResultColumn, ResultRow } from "@weft/shared/records/result-record.ts";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { contentUrl } from "../../../components/file-link.tsx";
import { ValueView } from "../../../components/value-view.tsx";
import { links } from "../../../format/links.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { fileName, isFileValue, isObject, type FileValue } from "../../../format/value-text.ts";
import type { IconName } from "../../../ui/icon.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { Companion } from "../../../components/preview/file-preview.tsx";
import { moveFrom, outputLabel, rowName, type Move, type ResultPlace, type ResultPlaces } from "./result-places.ts";
import { ResultFile } from "./result-file.tsx";
import { numberText } from "@weft/shared/text/count-text.ts";
import { IconButton } from "../../../ui/button.tsx";
import { TextLink } from "../../../ui/text-link.tsx";

interface ResultViewerProps {
  readonly runId: string;
  readonly outputsUrl: string;
  readonly columns: readonly ResultColumn[];
  readonly places: ResultPlaces;
  readonly place: ResultPlace;
  /** The loaded value; undefined while loading. */
  readonly row: ResultRow | undefined;
  readonly isThere: boolean;
  readonly onMove: (place: ResultPlace) => void;
  readonly onClose: () => void;
}

const KEYS: Readonly<Record<string, Move>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** One result at full size; arrow keys lead to adjacent results, Escape back to the gallery. */
export default function ResultViewer(props: ResultViewerProps) {
  const { columns, places, place, row, onClose } = props;
  const go = useMoves(props);
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = KEYS[event.key];
    // Sliders, fields and scrolling texts handle arrow keys themselves.
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey || usesArrows(event.target)) return;
    event.preventDefault();
    go(move);
  };
  return (
    <Modal
      title={titleOf(row, outputLabel(columns, place.output))}
      actions={<Steps places={places} place={place} onGo={go} />}
      isLarge
      finalFocus={false}
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      <div key={`${place.row}.${place.output}`} ref={showBeginning}>
        <ViewedCell {...props} />
      </div>
    </Modal>
  );
}

/** The box scrolls, also for the result before. */
function showBeginning(content: HTMLElement | null): void {
  content?.scrollIntoView({ block: "start" });
}

/** The URL updates with a delay, so a second key press within it starts from the first one's target. */
function useMoves({ places, place, onMove }: ResultViewerProps): (move: Move) => void {
  const latest = useRef(place);
  useEffect(() => {
    latest.current = { row: place.row, output: place.output };
  }, [place.row, place.output]);
  return (move) => {
    latest.current = moveFrom(places, latest.current, move);
    onMove(latest.current);
  };
}

function usesArrows(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input, select, textarea, iframe, [role=region], [role=slider], [role=grid]") !== null
  );
}

function titleOf(row: ResultRow | undefined, output: string): string {
  const name = rowName(row);
  return name === undefined ? output : `${name} · ${output}`;
}

interface StepsProps {
  readonly places: ResultPlaces;
  readonly place: ResultPlace;
  readonly onGo: (move: Move) => void;
}

function Steps({ places, place, onGo }: StepsProps) {
  const isSample = places.outputs.includes(place.output) && place.row >= places.firstSample;
  const steps = isSample ? (places.outputs.length > 1 ? [...SAMPLE_STEPS, ...OUTPUT_STEPS] : SAMPLE_STEPS) : ITEM_STEPS;
  return (
    <span className="flex items-center gap-1">
      {isSample && (
        <span className="mr-1 text-soft tabular-nums">
          {numberText(place.row - places.firstSample + 1)} of {numberText(places.sampleCount)}
        </span>
      )}
      {steps.map(({ move, label, icon }) => {
        const next = moveFrom(places, place, move);
        return (
          <IconButton
            label={label}
            icon={icon}
            small
            className="max-md:min-w-11"
            iconClass="size-3.5"
            key={move}
            title={label}
            disabled={next.row === place.row && next.output === place.output}
            onClick={() => onGo(move)}
          />
        );
      })}
    </span>
  );
}

interface Step {
  readonly move: Move;
  readonly label: string;
  readonly icon: IconName;
}

const SAMPLE_STEPS: readonly Step[] = [
  { move: "up", label: "Previous sample", icon: "up" },
  { move: "down", label: "Next sample", icon: "down" },
];
const OUTPUT_STEPS: readonly Step[] = [
  { move: "left", label: "Previous output", icon: "chevronLeft" },
  { move: "right", label: "Next output", icon: "chevronRight" },
];
const ITEM_STEPS: readonly Step[] = [
  { move: "left", label: "Previous result", icon: "up" },
  { move: "right", label: "Next result", icon: "down" },
];

function ViewedCell({ runId, outputsUrl, columns, place, row, isThere }: ResultViewerProps) {
  if (row === undefined) return <Skeleton rows={6} />;
  const cell = row.cells.find(({ output }) => output === place.output);
  if (cell === undefined) return <p className="text-soft">This sample has no value for this output.</p>;
  if (cell.missing !== undefined) return <MissingText runId={runId} missing={cell.missing} />;
  const origin = links.originOf({ run: runId, output: cell.output, sample: row.sample_id });
  const all = companionsOf(row, columns);
  const [first] = filesIn(cell.value);
  const renderFile = (file: FileValue): ReactNode => (
    <ResultFile
      file={file}
      isThere={isThere}
      origin={origin}
      isOpen={file === first}
      companions={all.filter(({ url }) => url !== contentUrl(file))}
    />
  );
  return (
    <>
      <ValueView value={cell.value} renderFile={renderFile} />
      {cell.cut === true && (
        <p className="mt-3 text-canceled">
          This value is truncated.{" "}
          <a className="link" href={outputsUrl}>
            Open all outputs as JSON
          </a>
        </p>
      )}
    </>
  );
}

function MissingText({
  runId,
  missing,
}: {
  readonly runId: string;
  readonly missing: NonNullable<ResultCell["missing"]>;
}) {
  const { step, job_id: jobId, state } = missing;
  const word = state === null ? "not run" : STATE_LOOKS[state].word.toLowerCase();
  return (
    <p>
      No value (step {step}: {word}).{" "}
      {jobId !== null && <TextLink to={links.run(runId, { tab: "jobs", job: jobId })}>View job</TextLink>}
    </p>
  );
}

/** Files of a value, without the contents of folders and secondary files. */
function filesIn(value: unknown): readonly FileValue[] {
  if (isFileValue(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(filesIn);
  return isObject(value) ? Object.values(value).flatMap(filesIn) : [];
}

/** All files of the row that can be overlaid on its images. */
function companionsOf(row: ResultRow, columns: readonly ResultColumn[]): readonly Companion[] {
  return row.cells.flatMap(({ output, value }) =>
    filesIn(value).flatMap((file) => {
      const url = contentUrl(file);
      return url === undefined
        ? []
        : [{ url, name: fileName(file), label: outputLabel(columns, output), sizeBytes: file.size }];
    }),
  );
}
