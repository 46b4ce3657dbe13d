import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sampleNamesQuery } from "../../api/queries/result-queries.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import {
  type ComparedThing,
  type FilePair,
  MARKS,
  filePairs,
  groupResults,
  placeOfOutput,
  resultText,
} from "./compare-runs.ts";
import { FilePairDialog } from "./file-pair-dialog.tsx";

/** Maximum number of drawn rows. */
const SHOWN = 300;
/** Number of rows shown without folding. */
const SHORT = 6;

interface ResultDifferencesProps {
  /** Outputs that differ. */
  readonly things: readonly ComparedThing[];
  /** The first run: its samples name the rows. */
  readonly baseId: string;
  /** The differences that the server found in the files of two runs, by output. */
  readonly details: ReadonlyMap<string, string>;
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
    { label: "Output", className: "wrap-anywhere", render: (thing) => <Name thing={thing} samples={samples} /> },
    ...sideColumns(things),
    {
      label: "Result",
      render: (thing) => (
        <>
          {resultText(thing)}
          {details.has(thing.name) && !thing.sides.includes(undefined) && thing.files[0] !== undefined && (
            <span className="code line-clamp-2 wrap-anywhere text-soft">{details.get(thing.name)}</span>
          )}
        </>
      ),
    },
    {
      label: "Actions",
      hidden: true,
      render: (thing) => <PairButtons thing={thing} samples={samples} onShow={onShow} />,
    },
  ];
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
    className: ({ differs }) => `code wrap-anywhere ${differs[place] === true ? "bg-canceled-soft" : ""}`,
    render: ({ sides, changes }) => <Side text={sides[place]} change={changes[place]} />,
  }));
}

/** The text of one run, and its difference from the base. */
function Side({ text, change }: { readonly text: string | undefined; readonly change: string | undefined }) {
  if (text === undefined) return <span className="text-soft">none</span>;
  return (
    <>
      {text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}
      {change !== undefined && <span className="ml-2 font-sans font-semibold whitespace-nowrap">{change}</span>}
    </>
  );
}

const MAX_TEXT = 300;
