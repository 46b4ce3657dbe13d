import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { JOB_STATES, REASON_CODES, RUN_STATES } from "./state-names.ts";

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

/** Why a run or job is in its state: one sentence for people and a code for programs. */
export const stateReasonSchema = namedObject("StateReason", {
  code: reasonCodeSchema,
  message: z.string().describe("One sentence for people"),
  job_id: z.string().optional(),
  hint: z.string().optional().describe("Advice"),
  place: z
    .string()
    .optional()
    .meta({
      description: "The part of the document or of the inputs that caused it, if known",
      examples: ["outputs.report.outputBinding.glob"],
    }),
});
export type StateReason = z.infer<typeof stateReasonSchema>;

/** The number of jobs in each state; states without jobs are absent. */
export const jobCountsSchema = z
  .partialRecord(jobStateSchema, z.int().min(0))
  .meta({ id: "JobCounts", description: "Number of jobs in each state; states without jobs are absent" });
export type JobCounts = z.infer<typeof jobCountsSchema>;
