import type { RunSummary } from "@weft/shared/records/run-record.ts";

export interface HeldRuns<R> {
  readonly shown: readonly R[];
  /** How many came since and are not shown yet. */
  readonly held: number;
}

/**
 * Parts the runs that were there when the list was opened from those that came since, so that rows do not move under the
 * cursor. Ids of runs sort by the time of creation; undefined: nothing was there, so nothing can move.
 */
export function holdNewRuns<R extends Pick<RunSummary, "run_id">>(
  runs: readonly R[],
  newestSeen: string | undefined,
): HeldRuns<R> {
  if (newestSeen === undefined) return { shown: runs, held: 0 };
  const shown = runs.filter(({ run_id }) => run_id <= newestSeen);
  return { shown, held: runs.length - shown.length };
}

/** The newest of some runs; undefined where there are none. */
export function newestOf(runs: readonly Pick<RunSummary, "run_id">[]): string | undefined {
  return runs
    .map(({ run_id }) => run_id)
    .reduce<string | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}
