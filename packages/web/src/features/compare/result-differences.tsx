import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { sampleNamesQuery } from "../../api/result-queries.ts";
import { numberText } from "../../format/count-text.ts";
import { Button } from "../../ui/button.tsx";
import { DataTable } from "../../ui/data-table.tsx";
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
  const rows = useMemo(() => groupResults(things), [things]);
  const isBySample = things.some(({ name }) => placeOfOutput(name).index !== undefined);
  const { data: samples } = useQuery({ ...sampleNamesQuery(baseId), enabled: isBySample });
  const count = things[0]?.sides.length ?? 0;
  const columns = [
    { label: "Output" },
    ...MARKS.slice(0, count).map((label) => ({ label })),
    { label: "Result" },
    { label: "Actions", hidden: true },
  ];
  return (
    <TitledSection title="Different outputs">
      <DataTable caption="Outputs" columns={columns} isLong={rows.length > SHORT}>
        {rows.slice(0, SHOWN).map((thing) => (
          <ResultRow
            key={thing.name}
            thing={thing}
            sample={sampleOf(thing, samples)}
            detail={details.get(thing.name)}
            onShow={setShown}
          />
        ))}
      </DataTable>
      {rows.length > SHOWN && (
        <p className="mt-2 text-soft">
          {SHOWN} of {numberText(rows.length)} are shown.
        </p>
      )}
      {shown !== undefined && <FilePairDialog {...shown} onClose={() => setShown(undefined)} />}
    </TitledSection>
  );
}

function sampleOf({ name }: ComparedThing, samples: ReadonlyMap<string, string> | undefined): string | undefined {
  const { output, index } = placeOfOutput(name);
  return index === undefined ? undefined : samples?.get(`${index} ${output}`);
}

interface ResultRowProps {
  readonly thing: ComparedThing;
  readonly sample: string | undefined;
  readonly detail: string | undefined;
  readonly onShow: (shown: Shown) => void;
}

function ResultRow({ thing, sample, detail, onShow }: ResultRowProps) {
  const { name, sides, differs } = thing;
  const title = sample === undefined ? name : `${sample} · ${name}`;
  return (
    <tr>
      <td data-label="Output" className="wrap-anywhere">
        {sample !== undefined && <span className="mr-2 font-medium">{sample}</span>}
        <span className={sample === undefined ? "font-medium" : "text-soft"}>{name}</span>
      </td>
      {sides.map((text, place) => (
        <td
          key={MARKS[place]}
          data-label={MARKS[place]}
          className={`code wrap-anywhere ${differs[place] === true ? "bg-canceled-soft" : ""}`}
        >
          <Side text={text} change={thing.changes[place]} />
        </td>
      ))}
      <td data-label="Result">
        {resultText(thing)}
        {detail !== undefined && thing.files[0] !== undefined && (
          <span className="code line-clamp-2 wrap-anywhere text-soft">{detail}</span>
        )}
      </td>
      <td data-label="">
        <PairButtons thing={thing} title={title} onShow={onShow} />
      </td>
    </tr>
  );
}

function PairButtons({ thing, title, onShow }: Pick<ResultRowProps, "thing" | "onShow"> & { readonly title: string }) {
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

/** The text of one run, and its difference from the base. */
export function Side({ text, change }: { readonly text: string | undefined; readonly change: string | undefined }) {
  if (text === undefined) return <span className="text-soft">none</span>;
  return (
    <>
      {text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}
      {change !== undefined && <span className="ml-2 font-sans font-semibold whitespace-nowrap">{change}</span>}
    </>
  );
}

const MAX_TEXT = 300;
