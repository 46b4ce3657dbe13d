import type { JobTimes } from "../../../api/all-jobs.ts";

/** A job of the chain that decided when the run ended. */
export interface PathJob {
  readonly job: JobTimes;
  /** From the end of the job before it in the chain (the beginning of the run for the first) until it started. */
  readonly waitedMs: number;
  readonly ranMs: number;
}

/** A job is queued a moment after the last job that it needs has ended. */
const MOMENT_MS = 50;

/**
 * The chain of jobs, each queued when the one before it ended, that leads to the job that ended last. The job before is the last
 * one of another step that had ended when this one was queued: of its own sample where it has one and that ran before.
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
  const last = (among: readonly EndedJob[]) => lastEndedBy(among, queuedMs + MOMENT_MS, step);
  if (sample === null) return last(ended);
  return last(bySample.get(sample) ?? []) ?? last(bySample.get(null) ?? []);
}

/** Of another step. `jobs` are sorted by their end. */
function lastEndedBy(jobs: readonly EndedJob[], byMs: number, step: string): EndedJob | undefined {
  let [low, high] = [0, jobs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((jobs[middle]?.endedMs ?? 0) <= byMs) low = middle + 1;
    else high = middle;
  }
  for (let place = low - 1; place >= 0; place -= 1) if (jobs[place]?.step !== step) return jobs[place];
  return undefined;
}
