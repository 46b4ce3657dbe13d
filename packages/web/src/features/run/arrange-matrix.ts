import type { JobSummary } from "@weft/shared/records/job-record.ts";

export interface MatrixRow {
  readonly sample: string;
  /** By step. */
  readonly jobs: ReadonlyMap<string, JobSummary>;
}

export interface Matrix {
  readonly steps: readonly string[];
  readonly rows: readonly MatrixRow[];
}

/** Jobs that have a sample, by sample (in order of appearance) and by those of `steps` that have such jobs. */
export function arrangeMatrix(steps: readonly string[], jobs: readonly JobSummary[]): Matrix {
  const rows = new Map<string, Map<string, JobSummary>>();
  const used = new Set<string>();
  for (const job of jobs) {
    if (job.sample_id === null) continue;
    const row = rows.get(job.sample_id) ?? new Map<string, JobSummary>();
    rows.set(job.sample_id, row);
    row.set(job.step, moreTelling(row.get(job.step), job));
    used.add(job.step);
  }
  return {
    steps: steps.filter((step) => used.has(step)),
    rows: [...rows].map(([sample, row]) => ({ sample, jobs: row })),
  };
}

/** Of several jobs of one sample in one step: the failed one, else the one that is not done. */
function moreTelling(shown: JobSummary | undefined, job: JobSummary): JobSummary {
  return shown === undefined || weight(job) > weight(shown) ? job : shown;
}

function weight(job: JobSummary): number {
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
