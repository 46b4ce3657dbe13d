import { isFinal } from "@weft/shared/records/state-names.ts";
import type { JobRow, RunRow } from "../journal/rows.ts";
import { waitingReason } from "../schedule/waiting-reason.ts";

/** The reason according to the scheduler or else the backends; undefined for a job that waits at neither. */
export type WhyWaiting = (runId: string, jobId: string) => string | undefined;

/** A waiting job with its current reason, which the log does not contain because it changes with every other job. */
export function withWaitingReason(row: JobRow, whyWaiting: WhyWaiting): JobRow {
  // A job submitted to a cluster waits there, and begins only when a node has it.
  if (row.state !== "QUEUED" && row.state !== "INITIALIZING") return row;
  const message = whyWaiting(row.runId, row.jobId);
  if (message !== undefined) return { ...row, reason: waitingReason(message) };
  if (row.state === "INITIALIZING") return row;
  // For a job that will be retried, the log contains the reason.
  return { ...row, reason: row.reason ?? waitingReason("its inputs are being prepared") };
}

/**
 * A run with open jobs of which none has started. Computed from the row alone, so that it matches the run's revision;
 * the jobs have the reasons, which change without one.
 */
export function withWaitingReasonOfRun(row: RunRow): RunRow {
  const { QUEUED = 0, INITIALIZING = 0, RUNNING = 0 } = row.jobCounts;
  if (row.reason !== null || isFinal(row.state) || row.state === "CANCELING") return row;
  if (QUEUED === 0 || INITIALIZING + RUNNING > 0) return row;
  const message = QUEUED === 1 ? "its only open job is waiting" : `all ${QUEUED} open jobs are waiting`;
  return { ...row, reason: { ...waitingReason(message), hint: "each job says what it waits for" } };
}
