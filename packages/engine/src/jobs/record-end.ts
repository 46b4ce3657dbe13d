import type { RunLog } from "../journal/run-log.ts";
import { restoreValues } from "../values/record-values.ts";
import type { UsedResources } from "../executor/executor.ts";
import type { AttemptRow, JobRow } from "../journal/rows.ts";
import { endedEvent, failedEnd, lateEvent, NOTHING_KNOWN, retryingEvent } from "./job-events.ts";
import type { Ended, FailedEnd, JobIdentity } from "./job-events.ts";
import type { Job, JobOutcome } from "./job.ts";

/** Records the end of a job and returns its outcome. */
export async function recordEnd(job: JobIdentity, end: Ended, services: RunLog): Promise<JobOutcome> {
  const [recorded] = await services.journal.append([endedEvent(job, end, services)]);
  // The run was already final: a late end is a fact about the job and changes nothing.
  if (recorded === null) await services.journal.append([lateEvent(job, end)]);
  return end.outcome;
}

/**
 * Records that another attempt follows after `delayMs`. Returns false, with nothing recorded, if the run was already
 * final.
 */
export async function recordRetry(
  job: JobIdentity & Pick<Job, "attempt">,
  end: FailedEnd,
  delayMs: number,
  { journal }: RunLog,
): Promise<boolean> {
  const [recorded] = await journal.append([retryingEvent(job, end, delayMs)]);
  return recorded !== null;
}

/** A job that could not be prepared ends like any other. */
export function recordFailedJob(job: JobIdentity, error: unknown, services: RunLog): Promise<JobOutcome> {
  return recordEnd(job, failedEnd(error, "STAGE_IN"), services);
}

const LOST_END = {
  outcome: {
    status: "failed",
    state: "SYSTEM_ERROR",
    reason: {
      code: "BACKEND_LOST",
      message: "the server restarted, and the processes of this attempt no longer exist",
      hint: "something outside Weft killed its processes, or the machine went down; run again",
    },
  },
  ...NOTHING_KNOWN,
} as const;

/** An attempt lost with the server that had begun it; the next one follows immediately. */
export async function recordLostAttempt(job: JobIdentity & Pick<Job, "attempt">, services: RunLog): Promise<undefined> {
  await services.journal.append([retryingEvent(job, LOST_END, 0)]);
}

/** Like `recordLostAttempt`, for the job's last attempt. */
export function recordLostJob(job: JobIdentity, services: RunLog): Promise<JobOutcome> {
  return recordEnd(job, LOST_END, services);
}

/** Ends a job that is not retried after all, with the end of its last attempt. */
export async function recordLastFailure(job: JobIdentity, services: RunLog): Promise<JobOutcome> {
  const last = services.journal.read.job(job.runId, job.jobId)?.attempts.at(-1);
  if (last === undefined) throw new Error(`job ${job.jobId} waits for a retry but has no failed attempt`);
  const state = last.state === "SYSTEM_ERROR" ? last.state : "EXECUTOR_ERROR";
  const outcome = { status: "failed", state, reason: last.reason } as const;
  return recordEnd(job, { outcome, exitCode: last.exit_code, used: usedBy(last), kill: last.kill }, services);
}

function usedBy(attempt: AttemptRow): UsedResources {
  return {
    cpuMs: attempt.cpu_ms,
    maxRssBytes: attempt.max_rss_bytes,
    memorySource: attempt.memory_source ?? null,
    ioReadBytes: attempt.io_read_bytes ?? null,
    ioWriteBytes: attempt.io_write_bytes ?? null,
  };
}

/** The recorded outcome of a job that ended under an earlier server. */
export function recordedOutcome(row: JobRow, { journal, uris }: RunLog): JobOutcome {
  if (row.state === "COMPLETE" && row.outputs !== null)
    return { status: "success", outputs: restoreValues(journal.read.blob(row.outputs), uris) };
  const state = row.state === "SYSTEM_ERROR" ? "SYSTEM_ERROR" : "EXECUTOR_ERROR";
  return { status: "failed", state, reason: row.reason ?? { code: "ENGINE", message: "the job failed" } };
}
