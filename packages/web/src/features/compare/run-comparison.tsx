import { useQueries } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { wholeRunQuery } from "../../api/run-queries.ts";
import { MAX_COMPARED_RUNS } from "../../components/run-paths.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { compareRuns, SECTIONS } from "./compare-runs.ts";
import { ComparedRuns } from "./compared-runs.tsx";
import { ComparedSection } from "./compared-section.tsx";
import { RunTiming } from "./run-timing.tsx";
import { RunVerdicts } from "./run-verdicts.tsx";
import { TextDifferences } from "./text-differences.tsx";
import { textPairs } from "./text-pairs.ts";
import { useComparisons } from "./use-comparisons.ts";

/** Two to four runs side by side, all held against the first: what differs, or everything. */
export default function RunComparison({ runIds }: { readonly runIds: readonly string[] }) {
  const shown = runIds.slice(0, MAX_COMPARED_RUNS);
  const unique = [...new Set(shown)];
  const queries = useQueries({ queries: unique.map(wholeRunQuery) });
  const missing = queries.find(({ data }) => data === undefined);
  if (missing !== undefined) return <QueryView query={missing}>{() => null}</QueryView>;
  const found = new Map(queries.flatMap(({ data }, place) => (data === undefined ? [] : [[unique[place], data]])));
  const runs = shown.flatMap((id) => found.get(id) ?? []);
  return (
    <div className="space-y-5">
      {runIds.length > shown.length && (
        <p className="card px-4 py-2.5">
          At most {MAX_COMPARED_RUNS} runs are compared at once: these are the first of {runIds.length}.
        </p>
      )}
      <ComparedRuns runs={runs} />
      <Comparison runs={runs} />
    </div>
  );
}

function Comparison({ runs }: { readonly runs: readonly Run[] }) {
  const [all, setAll] = useSearchParam("all");
  const comparisons = useComparisons(runs);
  const things = useMemo(() => compareRuns(runs), [runs]);
  const different = things.filter(({ isSame }) => !isSame);
  const shown = all === "" ? different : things;
  const pairs = textPairs(different);
  const first = [...comparisons.values()].find(({ data }) => data !== undefined)?.data?.used.first;
  const timed = runs.map((run, place) => ({
    ...run,
    used: place === 0 ? first : comparisons.get(run.run_id)?.data?.used.second,
  }));
  return (
    <>
      <RunVerdicts runs={runs} comparisons={comparisons} />
      <div className="flex flex-wrap items-center gap-4">
        <p role="status">
          {different.length === 0 ? "Nothing differs" : `${different.length} of ${things.length} things differ`}.
        </p>
        <label className="flex cursor-pointer items-center gap-2 max-md:min-h-11">
          <input
            type="checkbox"
            className="accent-accent"
            checked={all !== ""}
            onChange={(event) => setAll(event.target.checked ? "1" : "")}
          />
          Show what is the same too
        </label>
      </div>
      {shown.length === 0 && <EmptyState text="All runs have the same process, options, inputs, outputs and steps." />}
      {SECTIONS.map((section) => {
        const own = shown.filter((thing) => thing.section === section);
        return own.length > 0 && <ComparedSection key={section} title={section} things={own} />;
      })}
      <TextDifferences pairs={pairs} />
      <RunTiming runs={timed} />
    </>
  );
}
