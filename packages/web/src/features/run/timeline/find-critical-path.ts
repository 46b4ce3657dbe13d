import type { JobTimes } from "../../../api/queries/all-jobs.ts";

/** A job of the chain that determined when the run ended. */
export interface PathJob {
  readonly job: JobTimes;
  /** Time from the end of the previous job in the chain (or the beginning of the run) until its start. */
  readonly waitedMs: number;
  readonly ranMs: number;
}

/** Tolerance: a job is queued shortly after the last job that it needs has ended. */
const MOMENT_MS = 50;

/**
 * The chain of jobs, each queued when the previous one ended, that leads to the job that ended last. The previous job
 * is the last one of another step that had ended when this one was queued, preferably of the same sample.
 */
export function findCriticalPath(jobs: readonly JobTimes[], fromMs: number): readonly PathJob[] {
  const ended = jobs.filter(hasRun).sort((a, b) => a.endedMs - b.endedMs);
  const bySample = Map.groupBy(ended, ({ sample }) => sample);
  const path: PathJob[] = [];
  const seen = new Set<string>();
  let job = ended.at(-1);
  while (job !== undefined && !seen.has(job.id)) {
    seen.add(job.id);
    const before = jobBefore(job, ended, bySample);
    const waitedMs = Math.max(0, job.startedMs - (before?.endedMs ?? Math.min(fromMs, job.queuedMs)));
    path.unshift({ job, waitedMs, ranMs: job.endedMs - job.startedMs });
    job = before;
  }
  return path;
}

type EndedJob = JobTimes & { readonly startedMs: number; readonly endedMs: number };

function hasRun(job: JobTimes): job is EndedJob {
  return job.startedMs !== undefined && job.endedMs !== undefined;
}

function jobBefore(
  { step, sample, queuedMs }: EndedJob,
  ended: readonly EndedJob[],
  bySample: ReadonlyMap<string | null, readonly EndedJob[]>,
): EndedJob | undefined {
  const last = (sorted: readonly EndedJob[]) =>
    sorted.findLast((job) => job.endedMs <= queuedMs + MOMENT_MS && job.step !== step);
  if (sample === null) return last(ended);
  return last(bySample.get(sample) ?? []) ?? last(bySample.get(null) ?? []);
}
