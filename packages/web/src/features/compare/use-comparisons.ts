import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { comparisonQuery } from "../../api/lineage-queries.ts";

/** Each run except the first compared with the first, by its id; runs that cannot be compared yet are absent. */
export function useComparisons(runs: readonly Run[]): ReadonlyMap<string, UseQueryResult<RunComparison>> {
  const [base, ...others] = runs;
  const ended = base?.end_time == null ? [] : others.filter(({ end_time }) => end_time !== null);
  const ids = [...new Set(ended.map(({ run_id }) => run_id))];
  const results = useQueries({ queries: ids.map((id) => comparisonQuery(base?.run_id ?? "", id)) });
  return new Map(results.flatMap((result, place) => [[ids[place] ?? "", result]]));
}
