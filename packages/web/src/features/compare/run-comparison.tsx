import { useQueries } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { type ReactNode, useMemo, useState } from "react";
import { routeQuery } from "../../api/route-query.ts";
import { comparedRunQuery } from "../../api/queries/run-queries.ts";
import { MAX_COMPARED_RUNS } from "../../format/links.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import {
  type ComparedThing,
  MARKS,
  SECTIONS,
  type Section,
  compareRuns,
  isLarge,
  namedByServer,
  withFoundInputs,
} from "./compare-runs.ts";
import { ComparedRuns, type Comparisons, RunVerdicts } from "./compared-runs.tsx";
import { type Details, Result, ResultDifferences, ThingTable, sideColumns } from "./result-differences.tsx";
import { type TimedRun, type TimingRow, hasMixedMemory, stepTimingRows, timingRows } from "./timing-rows.ts";
import { Notice } from "../../ui/notice.tsx";

/** Compares two to four runs with the first one: their inputs and options, and the results that differ. */
export default function RunComparison({ runIds }: { readonly runIds: readonly string[] }) {
  const shown = runIds.slice(0, MAX_COMPARED_RUNS);
  const unique = [...new Set(shown)];
  const queries = useQueries({ queries: unique.map(comparedRunQuery) });
  const missing = queries.find(({ data }) => data === undefined);
  if (missing !== undefined) return <QueryView query={missing}>{() => null}</QueryView>;
  const found = new Map(queries.flatMap(({ data }, place) => (data === undefined ? [] : [[unique[place], data]])));
  const runs = shown.flatMap((id) => found.get(id) ?? []);
  return (
    <div className="space-y-5">
      {runIds.length > shown.length && (
        <Notice>
          Showing the first {MAX_COMPARED_RUNS} of {runIds.length} runs.
        </Notice>
      )}
      <ComparedRuns runs={runs} />
      <Comparison runs={runs} />
    </div>
  );
}

const LARGE_SECTIONS = ["Inputs", "Outputs"] as const;

function useThings(runs: readonly Run[], comparisons: Comparisons) {
  const compared = useMemo(() => compareRuns(runs), [runs]);
  const large = LARGE_SECTIONS.filter((section) => isLarge(section, runs));
  const found = runs.map(({ run_id }, place) => (place === 0 ? undefined : comparisons.get(run_id)?.data));
  const things = [
    ...withFoundInputs(compared, found),
    ...large.flatMap((section) => namedByServer(section, runs, found)),
  ];
  return { things, large };
}

function Comparison({ runs }: { readonly runs: readonly Run[] }) {
  const comparisons = useComparisons(runs);
  const { things, large } = useThings(runs, comparisons);
  const different = (section: Section) => things.filter((thing) => thing.section === section && !thing.isSame);
  const [changedRun, inputs, outputs, steps] = SECTIONS.map(different);
  const same = things.filter(({ isSame }) => isSame);
  const isBlank = same.length === things.length && large.length === 0;
  return (
    <>
      <RunVerdicts runs={runs} comparisons={comparisons} />
      {isBlank && <p role="status">No differences.</p>}
      {large.length > 0 && (
        <Notice>
          {large.join(" and ")}: too large to show side by side. The names of those that differ come from the server, at
          most 200 per run.
        </Notice>
      )}
      <Changes options={changedRun ?? []} inputs={inputs ?? []} runs={runs} comparisons={comparisons} />
      {outputs !== undefined && outputs.length > 0 && (
        <ResultDifferences
          things={outputs}
          baseId={runs[0]?.run_id ?? ""}
          details={detailsOf("outputs", runs, comparisons)}
        />
      )}
      {steps !== undefined && steps.length > 0 && (
        <Folded title={`${countText(steps.length, "step")} with different jobs`}>
          <ComparedTable title="Steps" things={steps} />
        </Folded>
      )}
      {same.length > 0 && <SameThings things={same} />}
      <Folded title="Timing and resources">
        <RunTiming runs={timedRuns(runs, comparisons)} />
      </Folded>
    </>
  );
}

interface ChangesProps {
  readonly options: readonly ComparedThing[];
  readonly inputs: readonly ComparedThing[];
  readonly runs: readonly Run[];
  readonly comparisons: Comparisons;
}

/** The different inputs, starting with the causes that users know. */
function Changes({ options, inputs, runs, comparisons }: ChangesProps) {
  const surroundings = surroundingsOf(runs, comparisons);
  if (options.length + inputs.length + surroundings.length === 0) return null;
  return (
    <TitledSection title="What changed">
      <div className="space-y-3">
        {inputs.length > 0 && (
          <ComparedTable title="Inputs" things={inputs} details={detailsOf("inputs", runs, comparisons)} />
        )}
        {options.length > 0 && <ComparedTable title="Run" things={options} />}
        {surroundings.length > 0 && (
          <ul aria-label="Versions" className="max-h-64 list-disc overflow-y-auto pl-5" tabIndex={0}>
            {surroundings.map((text) => (
              <li key={text} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </TitledSection>
  );
}

/** Equal items are one line until expanded. */
function SameThings({ things }: { readonly things: readonly ComparedThing[] }) {
  const counts = SECTIONS.flatMap((section) => {
    const count = things.filter((thing) => thing.section === section).length;
    return count === 0 ? [] : [countText(count, NOUNS[section])];
  });
  return (
    <Folded title={`Identical: ${counts.join(", ")}`}>
      <ComparedTable title="Identical in all runs" things={things} />
    </Folded>
  );
}

const NOUNS: Readonly<Record<Section, string>> = { Run: "setting", Inputs: "input", Outputs: "output", Steps: "step" };

/** The section's content exists only while it is open. */
function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card px-4 py-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-medium max-md:py-2">{title}</summary>
      {isOpen && <div className="mt-2">{children}</div>}
    </details>
  );
}

/** Tools, containers and versions that differed, with their run if there are several. */
function surroundingsOf(runs: readonly Run[], comparisons: Comparisons): readonly string[] {
  const found = runs
    .slice(1)
    .flatMap(({ run_id }, place) =>
      (comparisons.get(run_id)?.data?.surroundings ?? []).map((text) =>
        runs.length === 2 ? text : `${MARKS[place + 1]}: ${text}`,
      ),
    );
  return [...new Set(found)];
}

/** The server's findings about files: only for two runs, because each pair has its own. */
function detailsOf(part: "inputs" | "outputs", runs: readonly Run[], comparisons: Comparisons): Details {
  const [, other, more] = runs;
  const found = other === undefined || more !== undefined ? [] : (comparisons.get(other.run_id)?.data?.[part] ?? []);
  return new Map(found.flatMap(({ name, detail }) => (detail === null ? [] : [[name, detail]])));
}

function timedRuns(runs: readonly Run[], comparisons: Comparisons) {
  const first = [...comparisons.values()].find(({ data }) => data !== undefined)?.data?.used.first;
  return runs.map((run, place) => ({
    ...run,
    used: place === 0 ? first : comparisons.get(run.run_id)?.data?.used.second,
  }));
}

/** Each run except the first compared with the first, by its id; runs that cannot be compared yet are absent. */
function useComparisons(runs: readonly Run[]): Comparisons {
  const [base, ...others] = runs;
  const ended = base?.end_time == null ? [] : others.filter(({ end_time }) => end_time !== null);
  const ids = [...new Set(ended.map(({ run_id }) => run_id))];
  const params = { run_id: base?.run_id ?? "" };
  const results = useQueries({
    queries: ids.map((id) => routeQuery("GET /api/runs/{run_id}/comparison", { params, query: { with: id } })),
  });
  return new Map(results.flatMap((result, place) => [[ids[place] ?? "", result]]));
}

/**
 * Duration and resource usage of each run. These always differ and say nothing about results, so they are kept
 * separate.
 */
function RunTiming({ runs }: { readonly runs: readonly TimedRun[] }) {
  const steps = stepTimingRows(runs);
  const count = runs.length;
  return (
    <section aria-label="Timing and resources">
      <p className="mb-2 text-soft">
        For information – not part of the verdict.
        {hasMixedMemory(runs) && " The runs measured memory in different ways, so these figures are not comparable."}
      </p>
      <TimingTable caption="Timing and resources" rows={timingRows(runs)} count={count} />
      {steps.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-soft">By step</summary>
          <div className="mt-2">
            <TimingTable caption="Timing and resources by step" rows={steps} count={count} />
          </div>
        </details>
      )}
    </section>
  );
}

interface TimingTableProps {
  readonly caption: string;
  readonly rows: readonly TimingRow[];
  readonly count: number;
}

function TimingTable({ caption, rows, count }: TimingTableProps) {
  const columns: readonly Column<TimingRow>[] = [
    { label: "Measure", className: "font-medium wrap-anywhere", render: ({ name }) => name },
    ...MARKS.slice(0, count).map((label, place) => ({
      label,
      className: "tabular-nums",
      render: ({ cells }: TimingRow) => cells[place],
    })),
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ name }) => name} />;
}

interface ComparedTableProps {
  readonly title: string;
  readonly things: readonly ComparedThing[];
  readonly details?: Details;
}

const NO_DETAILS: Details = new Map();

/** Items of one kind, with a column for each run. */
function ComparedTable({ title, things, details = NO_DETAILS }: ComparedTableProps) {
  const columns: readonly Column<ComparedThing>[] = [
    { label: "Item", className: "font-medium wrap-anywhere md:min-w-36", render: ({ name }) => name },
    ...sideColumns(things),
    { label: "Result", className: "md:min-w-36", render: (thing) => <Result thing={thing} details={details} /> },
  ];
  return <ThingTable caption={title} columns={columns} things={things} />;
}
