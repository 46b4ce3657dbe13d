import { isFinal } from "@weft/shared/records/state-names.ts";
import type { JobRow, RunRow } from "../journal/rows.ts";
import { waitingReason } from "../schedule/waiting-reason.ts";

/** Asks the scheduler, then the backends: undefined for a job that waits at none. */
export type WhyWaiting = (runId: string, jobId: string) => string | undefined;

/** A waiting job with its reason as of now, which the log does not hold, because it changes with every other job. */
export function withWaitingReason(row: JobRow, whyWaiting: WhyWaiting): JobRow {
  // One that was handed to a cluster waits there, and is only begun when a node has it.
  if (row.state !== "QUEUED" && row.state !== "INITIALIZING") return row;
  const message = whyWaiting(row.runId, row.jobId);
  if (message !== undefined) return { ...row, reason: waitingReason(message) };
  if (row.state === "INITIALIZING") return row;
  // The log says why one waits that is to be tried again.
  return { ...row, reason: row.reason ?? waitingReason("its inputs are being prepared") };
}

/** A run none of whose open jobs has been started. Told from the row alone, so that it is as new as the run's revision. */
export function withWaitingReasonOfRun(row: RunRow): RunRow {
  const { QUEUED = 0, INITIALIZING = 0, RUNNING = 0 } = row.jobCounts;
  if (row.reason !== null || isFinal(row.state) || row.state === "CANCELING") return row;
  if (QUEUED === 0 || INITIALIZING + RUNNING > 0) return row;
  const message =
    QUEUED === 1
      ? "its only open job waits and says for what"
      : `all ${QUEUED} open jobs of it wait; each says for what`;
  return { ...row, reason: waitingReason(message) };
}
