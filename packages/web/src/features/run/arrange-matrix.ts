import type { JobTimes } from "../../api/all-jobs.ts";
import { isFailed } from "../../format/state-look.ts";

export interface MatrixRow {
  readonly sample: string;
  /** By step. */
  readonly jobs: ReadonlyMap<string, JobTimes>;
  readonly hasFailed: boolean;
}

export interface Matrix {
  readonly steps: readonly string[];
  readonly rows: readonly MatrixRow[];
}

/**
 * Jobs that have a sample, by sample and by those of `steps` that have such jobs. Samples with a failed job come first,
 * else they are in order of appearance.
 */
export function arrangeMatrix(steps: readonly string[], jobs: readonly JobTimes[]): Matrix {
  const rows = new Map<string, Map<string, JobTimes>>();
  const used = new Set<string>();
  for (const job of jobs) {
    if (job.sample === null) continue;
    const row = rows.get(job.sample) ?? new Map<string, JobTimes>();
    rows.set(job.sample, row);
    row.set(job.step, moreTelling(row.get(job.step), job));
    used.add(job.step);
  }
  return {
    steps: steps.filter((step) => used.has(step)),
    rows: [...rows]
      .map(([sample, row]) => ({
        sample,
        jobs: row,
        hasFailed: [...row.values()].some(({ state }) => isFailed(state)),
      }))
      .toSorted((a, b) => Number(b.hasFailed) - Number(a.hasFailed)),
  };
}

/** Chooses among the jobs of one sample in one step: a failed one, otherwise an unfinished one. */
function moreTelling(shown: JobTimes | undefined, job: JobTimes): JobTimes {
  return shown === undefined || weight(job) > weight(shown) ? job : shown;
}

function weight(job: JobTimes): number {
  switch (job.state) {
    case "EXECUTOR_ERROR":
    case "SYSTEM_ERROR":
    case "PREEMPTED":
      return 4;
    case "CANCELED":
    case "CANCELING":
      return 3;
    case "RUNNING":
    case "INITIALIZING":
      return 2;
    case "QUEUED":
      return 1;
    case "COMPLETE":
      return 0;
  }
}
