import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { Run, StepCounts } from "@weft/shared/records/run-record.ts";
import type { JobCounts } from "@weft/shared/records/state.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import type { AllJobs, JobTimes } from "./all-jobs.ts";
import { routeQuery } from "../route-query.ts";

/**
 * The past of a run, from the times at which its jobs were queued, started and ended: exact to the millisecond. A
 * retried job counts as queued until its last attempt started.
 */

/** A job as it was at a time; undefined before it was queued. */
export function jobAt(job: JobTimes, atMs: number): JobTimes | undefined {
  if (job.queuedMs > atMs) return undefined;
  if (job.endedMs !== undefined && job.endedMs <= atMs) return job;
  const isStarted = job.startedMs !== undefined && job.startedMs <= atMs;
  const then = { ...job, exitedMs: undefined, endedMs: undefined, phase: undefined };
  return isStarted ? { ...then, state: "RUNNING" } : { ...then, state: "QUEUED", startedMs: undefined, cached: false };
}

/** Jobs beyond the limit count as queued. */
export function jobsAt({ jobs, total }: AllJobs, atMs: number): AllJobs {
  const then = jobs.flatMap((job) => jobAt(job, atMs) ?? []);
  return { jobs: then, total: then.length + total - jobs.length };
}

/** A record of a job as it was at a time, without facts that became known later. */
export function jobSummaryAt(job: JobSummary, atMs: number): JobSummary | undefined {
  const { queued_at, started_at, ended_at } = job.timing;
  const isBy = (time: string | null): boolean => time !== null && Date.parse(time) <= atMs;
  if (!isBy(queued_at)) return undefined;
  if (isBy(ended_at)) return job;
  const isStarted = isBy(started_at);
  return {
    ...job,
    state: isStarted ? "RUNNING" : "QUEUED",
    state_reason: null,
    exit_code: null,
    cached: isStarted && job.cached,
    timing: {
      ...job.timing,
      started_at: isStarted ? started_at : null,
      // A clock would keep counting for a job without an end.
      ended_at: isStarted ? new Date(atMs).toISOString() : null,
      queued_ms: isStarted ? job.timing.queued_ms : null,
      running_ms: isStarted ? atMs - Date.parse(started_at ?? "") : null,
    },
  };
}

/** A run as it was at a time: its state, its counts and those of its steps. `jobs` are those of that time. */
export function runAt(run: Run, jobs: readonly JobTimes[], atMs: number): Run {
  const isBy = (time: string | null | undefined): boolean => time != null && Date.parse(time) <= atMs;
  if (isBy(run.end_time)) return run;
  const byStep = Map.groupBy(jobs, ({ step }) => step);
  const counts = countStates(jobs);
  const done = jobs.filter(({ state }) => STATE_LOOKS[state].final && state !== "CANCELED");
  const total = run.progress.jobs_total;
  return {
    ...run,
    state: isBy(run.abort?.requested_at) ? "CANCELING" : isBy(run.start_time) ? "RUNNING" : "QUEUED",
    outcome: null,
    state_reason: null,
    end_time: null,
    duration_ms: null,
    job_counts: counts,
    step_counts: run.step_counts.map((step) => stepAt(step, byStep.get(step.step) ?? [])),
    progress: {
      ...run.progress,
      jobs_done: done.length,
      jobs_cached: done.filter(({ cached }) => cached).length,
      fraction: total === 0 ? null : Math.min(1, done.length / total),
      eta: null,
    },
  };
}

function stepAt(step: StepCounts, jobs: readonly JobTimes[]): StepCounts {
  const cached = jobs.filter((job) => job.cached && STATE_LOOKS[job.state].final).length;
  return { ...step, job_counts: countStates(jobs), jobs_cached: cached };
}

function countStates(jobs: readonly JobTimes[]): JobCounts {
  const counts: JobCounts = {};
  for (const { state } of jobs) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/**
 * The position of an event: its sequence number in the server's log, or its number in the run. Without either, the
 * newest event.
 */
interface MomentPlace {
  readonly at?: number;
  readonly number?: number;
}

/** A moment in the log of a run. The past does not change, so it is read once. */
export const momentQuery = (runId: string, place: MomentPlace) => ({
  ...routeQuery("GET /api/runs/{run_id}/moment", { params: { run_id: runId }, query: { ...place } }),
  staleTime: place.at === undefined ? 0 : Number.POSITIVE_INFINITY,
});
