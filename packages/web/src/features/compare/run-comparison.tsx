import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import type { RunComparison as Comparison, RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo, useState, type ReactNode } from "react";
import { comparedRunQuery } from "../../api/run-queries.ts";
import { MAX_COMPARED_RUNS } from "../../components/run-paths.ts";
import { countText } from "../../format/count-text.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { comparisonQuery } from "../../api/lineage-queries.ts";
import { compareRuns, isLarge, MARKS, SECTIONS, type ComparedThing, type Section } from "./compare-runs.ts";
import { ComparedRuns } from "./compared-runs.tsx";
import { ComparedTable } from "./compared-table.tsx";
import { namedByServer } from "./large-values.ts";
import { ResultDifferences } from "./result-differences.tsx";
import { RunTiming } from "./run-timing.tsx";
import { RunVerdicts } from "./run-verdicts.tsx";

/**
 * Two to four runs side by side, all compared with the first: what changed, and which results differ because of it.
 */
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
        <p className="card px-4 py-2.5">
          Showing the first {MAX_COMPARED_RUNS} of {runIds.length} runs.
        </p>
      )}
      <ComparedRuns runs={runs} />
      <Comparison runs={runs} />
    </div>
  );
}

const LARGE_SECTIONS = ["Inputs", "Outputs"] as const;

type Comparisons = ReadonlyMap<string, UseQueryResult<Comparison>>;

function Comparison({ runs }: { readonly runs: readonly Run[] }) {
  const comparisons = useComparisons(runs);
  const compared = useMemo(() => compareRuns(runs), [runs]);
  const large = LARGE_SECTIONS.filter((section) => isLarge(section, runs));
  const found = runs.map(({ run_id }, place) => (place === 0 ? undefined : comparisons.get(run_id)?.data));
  const things = [...compared, ...large.flatMap((section) => namedByServer(section, runs, found))];
  const different = (section: Section) => things.filter((thing) => thing.section === section && !thing.isSame);
  const [changedRun, inputs, outputs, steps] = SECTIONS.map(different);
  const same = things.filter(({ isSame }) => isSame);
  const isBlank = same.length === things.length && large.length === 0;
  return (
    <>
      <RunVerdicts runs={runs} comparisons={comparisons} />
      {isBlank && <p role="status">No differences.</p>}
      {large.length > 0 && (
        <p className="card px-4 py-2.5">
          {large.join(" and ")}: too large to show side by side. The names of those that differ come from the server, at
          most 200 per run.
        </p>
      )}
      <Changes options={changedRun ?? []} inputs={inputs ?? []} surroundings={surroundingsOf(runs, comparisons)} />
      {outputs !== undefined && outputs.length > 0 && (
        <ResultDifferences things={outputs} baseId={runs[0]?.run_id ?? ""} details={detailsOf(runs, comparisons)} />
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
  readonly surroundings: readonly string[];
}

/** Different inputs: the causes that users know about come first. */
function Changes({ options, inputs, surroundings }: ChangesProps) {
  if (options.length + inputs.length + surroundings.length === 0) return null;
  return (
    <TitledSection title="What changed">
      <div className="space-y-3">
        {inputs.length > 0 && <ComparedTable title="Inputs" things={inputs} />}
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
function detailsOf(runs: readonly Run[], comparisons: Comparisons): ReadonlyMap<string, string> {
  const [, other, more] = runs;
  const found = other === undefined || more !== undefined ? [] : (comparisons.get(other.run_id)?.data?.outputs ?? []);
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
function useComparisons(runs: readonly Run[]): ReadonlyMap<string, UseQueryResult<RunComparison>> {
  const [base, ...others] = runs;
  const ended = base?.end_time == null ? [] : others.filter(({ end_time }) => end_time !== null);
  const ids = [...new Set(ended.map(({ run_id }) => run_id))];
  const results = useQueries({ queries: ids.map((id) => comparisonQuery(base?.run_id ?? "", id)) });
  return new Map(results.flatMap((result, place) => [[ids[place] ?? "", result]]));
}
