import { useQuery } from "@tanstack/react-query";
import { numberText } from "@weft/shared/text/count-text.ts";
import { useState } from "react";
import { textHeadQuery } from "../../api/queries/file-queries.ts";
import { sampleNamesQuery } from "../../api/queries/result-queries.ts";
import { contentUrl } from "../../components/file-link.tsx";
import { LineDiff } from "../../components/line-diff.tsx";
import { fileName } from "../../format/value-text.ts";
import { Button } from "../../ui/button.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { Slider } from "../../ui/field.tsx";
import { Modal } from "../../ui/modal.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import {
  MARKS,
  MAX_TEXT_BYTES,
  differsInLineEndsOnly,
  filePairs,
  groupResults,
  isText,
  placeOfOutput,
  resultText,
  type ComparedThing,
  type FilePair,
} from "./compare-runs.ts";

/** Maximum number of drawn rows. */
const SHOWN = 300;
/** Number of rows shown without folding. */
const SHORT = 6;

/** The differences that the server found in the files of two runs, by input or output. */
export type Details = ReadonlyMap<string, string>;

interface ResultDifferencesProps {
  /** Outputs that differ. */
  readonly things: readonly ComparedThing[];
  /** The first run: its samples name the rows. */
  readonly baseId: string;
  readonly details: Details;
}

interface Shown {
  readonly title: string;
  readonly pair: FilePair;
}

/** The outputs that differ, by sample, each with a link to view both sides. */
export function ResultDifferences({ things, baseId, details }: ResultDifferencesProps) {
  const [shown, setShown] = useState<Shown>();
  const rows = groupResults(things);
  const isBySample = things.some(({ name }) => placeOfOutput(name).index !== undefined);
  const { data: samples } = useQuery({ ...sampleNamesQuery(baseId), enabled: isBySample });
  const columns = columnsOf({ things, samples, details, onShow: setShown });
  return (
    <TitledSection title="Different outputs">
      <ThingTable caption="Outputs" columns={columns} things={rows} />
      {shown !== undefined && <FilePairDialog {...shown} onClose={() => setShown(undefined)} />}
    </TitledSection>
  );
}

interface ThingTableProps {
  readonly caption: string;
  readonly columns: readonly Column<ComparedThing>[];
  readonly things: readonly ComparedThing[];
}

/** A long table scrolls, and a very long one is cut. */
export function ThingTable({ caption, columns, things }: ThingTableProps) {
  return (
    <>
      <DataTable
        caption={caption}
        columns={columns}
        rows={things.slice(0, SHOWN)}
        keyOf={({ section, name }) => `${section} ${name}`}
        isLong={things.length > SHORT}
      />
      {things.length > SHOWN && (
        <p className="mt-2 text-soft">
          {SHOWN} of {numberText(things.length)} are shown.
        </p>
      )}
    </>
  );
}

interface ColumnOptions extends Pick<ResultDifferencesProps, "things" | "details">, Pick<ThingProps, "samples"> {
  readonly onShow: (shown: Shown) => void;
}

function columnsOf({ things, samples, details, onShow }: ColumnOptions): readonly Column<ComparedThing>[] {
  return [
    {
      label: "Output",
      className: "wrap-anywhere md:min-w-36",
      render: (thing) => <Name thing={thing} samples={samples} />,
    },
    ...sideColumns(things),
    { label: "Result", render: (thing) => <Result thing={thing} details={details} /> },
    {
      label: "Actions",
      hidden: true,
      render: (thing) => <PairButtons thing={thing} samples={samples} onShow={onShow} />,
    },
  ];
}

interface ResultProps {
  readonly thing: ComparedThing;
  readonly details: Details;
}

/** Which runs differ; for files, also where. */
export function Result({ thing, details }: ResultProps) {
  const { name, sides, files } = thing;
  return (
    <>
      {resultText(thing)}
      {details.has(name) && !sides.includes(undefined) && files[0] !== undefined && (
        <span className="code line-clamp-2 wrap-anywhere text-soft">{details.get(name)}</span>
      )}
    </>
  );
}

interface ThingProps {
  readonly thing: ComparedThing;
  /** Names of the samples of the first run. */
  readonly samples: ReadonlyMap<string, string> | undefined;
}

function sampleOf({ thing: { name }, samples }: ThingProps): string | undefined {
  const { output, index } = placeOfOutput(name);
  return index === undefined ? undefined : samples?.get(`${index} ${output}`);
}

function Name(props: ThingProps) {
  const sample = sampleOf(props);
  return (
    <>
      {sample !== undefined && <span className="mr-2 font-medium">{sample}</span>}
      <span className={sample === undefined ? "font-medium" : "text-soft"}>{props.thing.name}</span>
    </>
  );
}

function PairButtons({ onShow, ...props }: ThingProps & { readonly onShow: (shown: Shown) => void }) {
  const { thing } = props;
  const sample = sampleOf(props);
  const title = sample === undefined ? thing.name : `${sample} · ${thing.name}`;
  return (
    <span className="flex flex-wrap gap-1">
      {filePairs(thing).map((pair) => (
        <Button
          small
          key={pair.mark}
          aria-label={`Compare ${title}, ${MARKS[0]} and ${pair.mark}`}
          onClick={() => onShow({ title, pair })}
        >
          {thing.sides.length === 2 ? "Compare" : `${MARKS[0]} and ${pair.mark}`}
        </Button>
      ))}
    </span>
  );
}

/** A column for each run. */
export function sideColumns([first]: readonly ComparedThing[]): readonly Column<ComparedThing>[] {
  return MARKS.slice(0, first?.sides.length ?? 0).map((label, place) => ({
    label,
    className: ({ differs }) => `code wrap-anywhere md:min-w-40 ${differs[place] === true ? "bg-canceled-soft" : ""}`,
    render: ({ section, sides, changes }) => (
      <Side text={sides[place] ?? (section === "Inputs" ? "not set" : "none")} change={changes[place]} />
    ),
  }));
}

/** The text of one run, and its difference from the base. */
function Side({ text, change }: { readonly text: string; readonly change: string | undefined }) {
  return (
    <>
      {text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}
      {change !== undefined && <span className="ml-2 font-sans font-semibold whitespace-nowrap">{change}</span>}
    </>
  );
}

const MAX_TEXT = 300;

const NiftiPreview = onDemand(() => import("../../components/preview/nifti/nifti-preview.tsx"), <Skeleton rows={8} />);

interface FilePairDialogProps {
  readonly title: string;
  readonly pair: FilePair;
  readonly onClose: () => void;
}

/** Two files at their full size: texts line by line, images with a slider, volumes with linked cursors. */
function FilePairDialog({ title, pair, onClose }: FilePairDialogProps) {
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
          aria-valuetext={`${share}% ${MARKS[0]}, ${100 - share}% ${mark}`}
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
