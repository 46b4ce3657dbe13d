import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { AUTOMATION_STATES, HISTORY_KINDS, VERDICTS } from "./automation-names.ts";
import { datasetOfRequestSchema } from "./dataset-record.ts";
import { catalogIdSchema, cwlObjectSchema, timeSchema, uuidSchema } from "./primitives.ts";
import { sinkDataSchema } from "./run-record.ts";

export const automationIdSchema = uuidSchema("ID of an automation", "7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10");

export const triggerSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("samples") }),
    z.strictObject({
      kind: z.literal("schedule"),
      cron: z
        .string()
        .min(9)
        .max(200)
        .meta({ description: "Minute, hour, day, month, weekday", examples: ["0 3 * * *"] }),
      time_zone: z
        .string()
        .min(1)
        .max(64)
        .meta({ description: "IANA name", examples: ["Europe/Berlin"] }),
    }),
    z.strictObject({
      kind: z.literal("run-ended"),
      network: catalogIdSchema.describe("Network whose runs succeed"),
    }),
  ])
  .meta({
    id: "AutomationTrigger",
    description:
      "`samples`: as soon as the dataset has new samples. `schedule`: at these times. `run-ended`: when a run of a network has succeeded",
  });

const settingsShape = {
  name: z.string().trim().min(1).max(100).describe("Name of the automation"),
  network: catalogIdSchema,
  trigger: triggerSchema,
  dataset: datasetOfRequestSchema
    .optional()
    .describe("Query that gives the samples. Absent: one run with `inputs` each time"),
  inputs: cwlObjectSchema.optional().describe("Inputs that the query does not fill"),
  sink_data: sinkDataSchema.optional(),
  mode: z
    .enum(["new", "all"])
    .default("new")
    .describe(
      "`new`: a run of the new samples. `all`: a run of all samples, which takes earlier results from the cache",
    ),
  settle_s: z
    .int()
    .min(0)
    .max(86_400)
    .default(60)
    .describe("Seconds for which the files of a sample must have been unchanged"),
  max_runs_per_day: z.int().min(1).max(1000).default(24).describe("Maximum number of runs in 24 hours"),
} as const;

/** The body of POST /api/automations. */
export const createAutomationSchema = z
  .strictObject(settingsShape)
  .refine(({ trigger, dataset }) => trigger.kind !== "samples" || dataset !== undefined, {
    message: "the trigger `samples` requires a query",
    path: ["dataset"],
  })
  .meta({ id: "CreateAutomation" });
export type CreateAutomation = z.input<typeof createAutomationSchema>;
export type AutomationSettings = z.output<typeof createAutomationSchema>;

export const automationSchema = namedObject("Automation", {
  ...settingsShape,
  automation_id: automationIdSchema,
  owner: z.string().describe("Principal whose name and rights its runs have"),
  state: z.enum(AUTOMATION_STATES),
  reason: z.string().describe("Why it is paused or stopped; empty if it is active"),
  created_at: timeSchema,
  next_at: timeSchema.nullable().describe("Next time of the schedule; null: none"),
  runs_started: z.int().min(0).describe("Number of runs that it has started"),
  samples_started: z.int().min(0).describe("Number of samples that it has started"),
  last_failure: z.string().describe("Why it could not start a run the last time; empty if it could"),
});
export type Automation = z.output<typeof automationSchema>;

export const automationListSchema = namedObject("AutomationList", { automations: z.array(automationSchema) });

/** The plan of an automation. */
export const automationPlanSchema = namedObject("AutomationPlan", {
  would_start: z.int().min(0).describe("Samples of the run; without a query, runs"),
  blocked: z.string().describe("Why it would nevertheless start nothing; empty if nothing prevents it"),
  samples: z
    .array(z.object({ name: z.string(), verdict: z.enum(VERDICTS), detail: z.string() }))
    .describe("The first 1,000 samples of the query"),
  samples_total: z.int().min(0).describe("Number of samples of the query; 0 without one"),
  next_at: timeSchema.nullable().describe("Next time of the schedule; null: none"),
});
export type AutomationPlan = z.infer<typeof automationPlanSchema>;

export const automationHistorySchema = z
  .object({
    history: z.array(
      z.object({
        at: timeSchema,
        kind: z.enum(HISTORY_KINDS),
        run_id: z.string().nullable(),
        run_name: z.string().nullable(),
        run_state: z.string().nullable().describe("State of the run now"),
        samples: z.int().min(0).describe("Number of samples that it started"),
        detail: z.string(),
        actor: z.string(),
      }),
    ),
  })
  .meta({ id: "AutomationHistory", description: "The newest 200 entries, newest first" });
export type AutomationHistory = z.infer<typeof automationHistorySchema>;
