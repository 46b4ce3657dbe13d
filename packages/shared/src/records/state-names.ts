import type { JobState, RunState } from "./state.ts";

// Separate from their schemas, so that callers which only check whether a state is final do not load the schema
// library.

export const FINAL_STATES = ["COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED", "PREEMPTED"] as const;

/** States of a run: the GA4GH WES names. */
export const RUN_STATES = ["QUEUED", "INITIALIZING", "RUNNING", "PAUSED", "CANCELING", ...FINAL_STATES] as const;

/** States of a job: those of a run except PAUSED (a waiting job of a paused run stays QUEUED). */
export const JOB_STATES = ["QUEUED", "INITIALIZING", "RUNNING", "CANCELING", ...FINAL_STATES] as const;

export const REASON_CODES = [
  "WAITING",
  "TOOL_EXIT",
  "MISSING_OUTPUT",
  "OUTPUT_INVALID",
  "OUT_OF_MEMORY",
  "TIME_LIMIT",
  "STAGE_IN",
  "STAGE_OUT",
  "DISK_FULL",
  "NODE_FAIL",
  "BACKEND_LOST",
  "SUBMIT_REJECTED",
  "EXPRESSION",
  "LIMIT_EXCEEDED",
  "ENGINE",
  "PREEMPTED",
  "ABORTED",
  "UPSTREAM_FAILED",
] as const;

/** True once a run or job can never change its state again. */
export function isFinal(state: RunState | JobState): boolean {
  return FINAL_STATES.some((final) => final === state);
}

/** A person's verdict about a sample. */
export const REVIEW_VERDICTS = ["pass", "fail"] as const;
