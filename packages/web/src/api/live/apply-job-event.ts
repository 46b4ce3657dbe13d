import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { parseJobState, STATE_LOOKS } from "../../format/state-look.ts";
import { isObject } from "../../format/value-text.ts";
import { readReason } from "./apply-run-event.ts";

/** Folds an event into a job. Applying it twice changes nothing; answers the same object where nothing changed. */
export function applyJobEvent<J extends JobSummary>(job: J, event: WeftEvent): J {
  if (event.run_id !== job.run_id || event.job_id !== job.job_id) return job;
  switch (event.type) {
    case "job.image":
    case "job.fetching":
      return fetching(job, readReason(event.data["reason"]));
    case "job.started":
      return isOfEarlierAttempt(job, event) ? job : start(job, event);
    case "job.running":
      // Without a start it is of an attempt that has been given up.
      if (job.timing.started_at === null) return job;
      return advance(job, "RUNNING", { phase: "running" });
    case "job.exited":
      return job.phase === "running"
        ? { ...job, phase: "collecting", exit_code: integer(event.data["exit_code"]) }
        : job;
    case "job.retrying":
      return isOfEarlierAttempt(job, event) || STATE_LOOKS[job.state].final ? job : waitAgain(job, event);
    case "job.ended":
      return end(job, event);
    default:
      return job;
  }
}

/** A job that has started has its files: the event is an old one. */
function fetching<J extends JobSummary>(job: J, reason: JobSummary["state_reason"]): J {
  const isBefore = job.state === "QUEUED" || (job.state === "INITIALIZING" && job.timing.started_at === null);
  if (!isBefore || (job.state === "INITIALIZING" && job.state_reason?.message === reason?.message)) return job;
  return { ...job, state: "INITIALIZING", phase: "staging", state_reason: reason };
}

function isOfEarlierAttempt(job: JobSummary, { data }: WeftEvent): boolean {
  return typeof data["attempt"] === "number" && data["attempt"] < job.attempt;
}

function waitAgain<J extends JobSummary>(job: J, { data }: WeftEvent): J {
  return {
    ...job,
    state: "QUEUED",
    phase: "waiting",
    attempt: job.attempt + 1,
    exit_code: null,
    signal: null,
    state_reason: readReason(data["waiting"]),
    timing: { ...job.timing, started_at: null, queued_ms: null },
  };
}

function advance<J extends JobSummary>(job: J, state: JobState, change: Partial<JobSummary>): J {
  if (STATE_LOOKS[job.state].rank >= STATE_LOOKS[state].rank) return job;
  return { ...job, state_reason: withoutWaiting(job.state_reason), ...change, state };
}

/** What a job waited for is over when it does something. */
function withoutWaiting(reason: JobSummary["state_reason"]): JobSummary["state_reason"] {
  return reason?.code === "WAITING" ? null : reason;
}

/** A job that waited for its image or its files is INITIALIZING already. */
function start<J extends JobSummary>(job: J, { time, data }: WeftEvent): J {
  const timing = started(job, time);
  const cached = isObject(data["cache"]) && data["cache"]["decision"] === "hit";
  if (job.state === "INITIALIZING" && job.timing.started_at === null)
    return { ...job, state_reason: null, timing, cached };
  return advance(job, "INITIALIZING", { phase: "staging", timing, cached });
}

function started(job: JobSummary, time: string): JobSummary["timing"] {
  return {
    ...job.timing,
    started_at: time,
    queued_ms: Math.max(0, Date.parse(time) - Date.parse(job.timing.queued_at)),
  };
}

function end<J extends JobSummary>(job: J, event: WeftEvent): J {
  const state = parseJobState(event.data["state"]);
  if (state === undefined) return job;
  const { started_at } = job.timing;
  const running_ms = started_at === null ? null : Math.max(0, Date.parse(event.time) - Date.parse(started_at));
  return advance(job, state, {
    phase: "ended",
    exit_code: integer(event.data["exit_code"]),
    signal: integer(event.data["signal"]),
    state_reason: readReason(event.data["reason"]),
    timing: { ...job.timing, ended_at: event.time, running_ms },
  });
}

function integer(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
