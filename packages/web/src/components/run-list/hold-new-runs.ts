import type { RunSummary } from "@weft/shared/records/run-record.ts";

interface HeldRuns<R> {
  readonly shown: readonly R[];
  /** Number of newer runs that are not shown yet. */
  readonly held: number;
}

/**
 * Separates the runs that existed when the list was opened from newer ones, so that rows do not move under the cursor.
 * Run ids sort by creation time; undefined: the list was empty, so nothing can move.
 */
export function holdNewRuns<R extends Pick<RunSummary, "run_id">>(
  runs: readonly R[],
  newestSeen: string | undefined,
): HeldRuns<R> {
  if (newestSeen === undefined) return { shown: runs, held: 0 };
  const shown = runs.filter(({ run_id }) => run_id <= newestSeen);
  return { shown, held: runs.length - shown.length };
}

/** The newest of some runs; undefined if there are none. */
export function newestOf(runs: readonly Pick<RunSummary, "run_id">[]): string | undefined {
  return runs
    .map(({ run_id }) => run_id)
    .reduce<string | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}
