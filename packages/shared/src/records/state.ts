import { z } from "zod";

/** States of a run: the GA4GH WES names. The last five are final. */
export const RUN_STATES = [
  "QUEUED",
  "INITIALIZING",
  "RUNNING",
  "PAUSED",
  "CANCELING",
  "COMPLETE",
  "EXECUTOR_ERROR",
  "SYSTEM_ERROR",
  "CANCELED",
  "PREEMPTED",
] as const;

/** States of a job: as of a run, without PAUSED (a waiting job of a paused run stays QUEUED). */
export const JOB_STATES = [
  "QUEUED",
  "INITIALIZING",
  "RUNNING",
  "CANCELING",
  "COMPLETE",
  "EXECUTOR_ERROR",
  "SYSTEM_ERROR",
  "CANCELED",
  "PREEMPTED",
] as const;

export const FINAL_STATES = ["COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED", "PREEMPTED"] as const;

export const REASON_CODES = [
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
  "ENGINE",
  "PREEMPTED",
  "ABORTED",
  "UPSTREAM_FAILED",
] as const;

export const runStateSchema = z
  .enum(RUN_STATES)
  .meta({ id: "RunState", description: "State of a run (GA4GH WES names)" });
export const jobStateSchema = z
  .enum(JOB_STATES)
  .meta({ id: "JobState", description: "State of a job (GA4GH TES names)" });
export const outcomeSchema = z.enum(["success", "partial", "failure", "canceled"]).meta({ id: "Outcome" });
export const reasonCodeSchema = z.enum(REASON_CODES).meta({ id: "ReasonCode" });

export type RunState = z.infer<typeof runStateSchema>;
export type JobState = z.infer<typeof jobStateSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type ReasonCode = z.infer<typeof reasonCodeSchema>;

/** True once a run or job can never change its state again. */
export function isFinal(state: RunState | JobState): boolean {
  return FINAL_STATES.some((final) => final === state);
}

/** Why a run or job is in its state: one sentence for people beside a code for programs. */
export const stateReasonSchema = z
  .object({
    code: reasonCodeSchema,
    message: z.string().meta({ description: "One sentence for people" }),
    job_id: z.string().optional(),
    hint: z.string().optional().meta({ description: "What to try" }),
  })
  .meta({ id: "StateReason" });
export type StateReason = z.infer<typeof stateReasonSchema>;

/** How many jobs are in each state; states without a job are absent. */
export const jobCountsSchema = z
  .partialRecord(jobStateSchema, z.int().min(0))
  .meta({ id: "JobCounts", description: "Number of jobs in each state; states without jobs are absent" });
export type JobCounts = z.infer<typeof jobCountsSchema>;
