import type { EventData } from "../events/event.ts";
import { isFinal } from "../records/state-names.ts";
import type { JobState } from "../records/state.ts";

/** The phase of a job, which is more precise than its state. A prepared job is ready and waits for its turn. */
export type JobPhase = "waiting" | "staging" | "prepared" | "running" | "collecting" | "ended";

/** The progress of a job. Times are milliseconds since 1970, undefined until known. */
export interface JobProgress {
  readonly state: JobState;
  /** Undefined if only the state is known. */
  readonly phase?: JobPhase | undefined;
  /** Number of the current attempt, from 1. */
  readonly attempt: number;
  readonly startedMs: number | undefined;
  /** When the program ended, if that was recorded before the end of the job. */
  readonly exitedMs?: number | undefined;
  readonly endedMs: number | undefined;
}

type JobEventType =
  `job.${"queued" | "image" | "fetching" | "started" | "running" | "exited" | "retrying" | "ended" | "late" | "killed"}`;

/** The part of an event that the fold reads, as the log and the socket have it. */
export type FoldedJobEvent = {
  readonly [Type in JobEventType]: { readonly type: Type; readonly data: EventData<Type> };
}[JobEventType];

export const QUEUED_JOB = {
  ...{ state: "QUEUED", phase: "waiting", attempt: 1 },
  ...{ startedMs: undefined, exitedMs: undefined, endedMs: undefined },
} as const satisfies JobProgress;

/**
 * The only rule for the effect of an event, recorded at `timeMs`, on the progress of its job. A job that has ended
 * stays unchanged. Returns the given job if the event changes nothing.
 */
export function foldJob<Job extends JobProgress>(job: Job, event: FoldedJobEvent, timeMs: number): Job {
  const change = isFinal(job.state) ? undefined : changeBy(event, job, timeMs);
  return change === undefined ? job : { ...job, ...change };
}

/** The end of a run ends its jobs; those that it stops have no event of their own. */
export function closeJob<Job extends JobProgress>(job: Job, endedMs: number): Job {
  return isFinal(job.state) ? job : { ...job, ...CLOSED_JOB, endedMs };
}

export const CLOSED_JOB = { state: "CANCELED", phase: "ended" } as const satisfies Partial<JobProgress>;

function changeBy(event: FoldedJobEvent, job: JobProgress, timeMs: number): Partial<JobProgress> | undefined {
  switch (event.type) {
    case "job.image":
    case "job.fetching":
      return { state: "INITIALIZING", phase: "staging" };
    case "job.started": {
      const { attempt, ahead } = event.data;
      if (ahead === true) return { attempt, state: "QUEUED", phase: "prepared", startedMs: undefined };
      return { attempt, state: "INITIALIZING", phase: "staging", startedMs: timeMs };
    }
    case "job.running":
      if (isLate(job)) return undefined;
      return { state: "RUNNING", phase: "running", startedMs: job.startedMs ?? timeMs - (event.data.late_ms ?? 0) };
    case "job.exited":
      return isLate(job) ? undefined : { phase: "collecting", exitedMs: timeMs - (event.data.late_ms ?? 0) };
    case "job.retrying":
      return { ...QUEUED_JOB, attempt: event.data.attempt + 1 };
    case "job.ended":
      return { state: event.data.state, phase: "ended", startedMs: startOf(job, event.data, timeMs), endedMs: timeMs };
    case "job.queued":
    case "job.late":
    case "job.killed":
      return undefined;
  }
}

/** True for a report about an abandoned attempt while the next one waits. */
function isLate({ state, phase, attempt }: JobProgress): boolean {
  return state === "QUEUED" && phase !== "prepared" && attempt > 1;
}

/** A prepared job that could not be started has begun and ended at once. */
function startOf(job: JobProgress, { ran_ms, state }: EventData<"job.ended">, timeMs: number): number | undefined {
  if (job.startedMs !== undefined) return job.startedMs;
  if (ran_ms !== undefined) return timeMs - ran_ms;
  return job.phase === "prepared" && state !== "CANCELED" ? timeMs : undefined;
}
