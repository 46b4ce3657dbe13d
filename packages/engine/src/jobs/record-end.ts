import type { RunLog } from "../journal/run-log.ts";
import { endedEvent, failedEnd, lateEvent, NOTHING_KNOWN, retryingEvent } from "./job-events.ts";
import type { Ended, FailedEnd, JobIdentity } from "./job-events.ts";
import type { Job, JobOutcome } from "./job.ts";

/** Puts the end of a job on record and answers its outcome. */
export async function recordEnd(job: JobIdentity, end: Ended, services: RunLog): Promise<JobOutcome> {
  const [recorded] = await services.journal.append([endedEvent(job, end, services)]);
  // The run was final already: what came late is a fact about the job and changes nothing.
  if (recorded === null) await services.journal.append([lateEvent(job, end)]);
  return end.outcome;
}

/** Records that another attempt follows after `delayMs`. False, with nothing on record: the run was final already. */
export async function recordRetry(
  job: JobIdentity & Pick<Job, "attempt">,
  end: FailedEnd,
  delayMs: number,
  { journal }: RunLog,
): Promise<boolean> {
  const [recorded] = await journal.append([retryingEvent(job, end, delayMs)]);
  return recorded !== null;
}

/** A job that could not even be prepared ends like any other. */
export function recordFailedJob(job: JobIdentity, error: unknown, services: RunLog): Promise<JobOutcome> {
  return recordEnd(job, failedEnd(error, "STAGE_IN"), services);
}

const LOST_END = {
  outcome: {
    status: "failed",
    state: "SYSTEM_ERROR",
    reason: {
      code: "BACKEND_LOST",
      message: "the server was restarted, and what this attempt had begun is gone",
      hint: "something outside Weft ended its processes, or the machine went down; run again",
    },
  },
  ...NOTHING_KNOWN,
} as const;

/** An attempt that ended with the server that had begun it; the next one follows at once. */
export async function recordLostAttempt(job: JobIdentity & Pick<Job, "attempt">, services: RunLog): Promise<undefined> {
  await services.journal.append([retryingEvent(job, LOST_END, 0)]);
}

/** As `recordLostAttempt`, for the last attempt that the job has. */
export function recordLostJob(job: JobIdentity, services: RunLog): Promise<JobOutcome> {
  return recordEnd(job, LOST_END, services);
}
