import { z } from "zod";
import { AUTOMATION_STATES, HISTORY_KINDS, VERDICTS } from "./automation-names.ts";
import { datasetOfRequestSchema } from "./dataset-record.ts";
import { catalogIdSchema, cwlObjectSchema, timeSchema } from "./primitives.ts";
import { sinkDataSchema } from "./run-record.ts";

export const automationIdSchema = z
  .uuid()
  .meta({ description: "ID of an automation", examples: ["7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10"] });

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
      network: catalogIdSchema.meta({ description: "Network whose runs succeed" }),
    }),
  ])
  .meta({
    id: "AutomationTrigger",
    description:
      "`samples`: as soon as the dataset has new samples. `schedule`: at these times. `run-ended`: when a run of a network has succeeded",
  });

const settingsShape = {
  name: z.string().trim().min(1).max(100).meta({ description: "Name of the automation" }),
  network: catalogIdSchema,
  trigger: triggerSchema,
  dataset: datasetOfRequestSchema.optional().meta({
    description: "Query that gives the samples. Absent: one run with `inputs` each time",
  }),
  inputs: cwlObjectSchema.optional().meta({ description: "Inputs that the query does not fill" }),
  sink_data: sinkDataSchema.optional(),
  mode: z.enum(["new", "all"]).default("new").meta({
    description:
      "`new`: a run of the new samples. `all`: a run of all samples, which takes earlier results from the cache",
  }),
  settle_s: z.int().min(0).max(86_400).default(60).meta({
    description: "Seconds for which the files of a sample must have been unchanged",
  }),
  max_runs_per_day: z.int().min(1).max(1000).default(24).meta({ description: "Maximum number of runs in 24 hours" }),
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

export const automationSchema = z
  .object({
    ...settingsShape,
    automation_id: automationIdSchema,
    owner: z.string().meta({ description: "Principal whose name and rights its runs have" }),
    state: z.enum(AUTOMATION_STATES),
    reason: z.string().meta({ description: "Why it is paused or stopped; empty if it is active" }),
    created_at: timeSchema,
    next_at: timeSchema.nullable().meta({ description: "Next time of the schedule; null: none" }),
    runs_started: z.int().min(0).meta({ description: "Number of runs that it has started" }),
    samples_started: z.int().min(0).meta({ description: "Number of samples that it has started" }),
    last_failure: z.string().meta({ description: "Why it could not start a run the last time; empty if it could" }),
  })
  .meta({ id: "Automation" });
export type Automation = z.output<typeof automationSchema>;

export const automationListSchema = z.object({ automations: z.array(automationSchema) }).meta({ id: "AutomationList" });

/** The plan of an automation. */
export const automationPlanSchema = z
  .object({
    would_start: z.int().min(0).meta({ description: "Samples of the run; without a query, runs" }),
    blocked: z.string().meta({ description: "Why it would nevertheless start nothing; empty if nothing prevents it" }),
    samples: z
      .array(z.object({ name: z.string(), verdict: z.enum(VERDICTS), detail: z.string() }))
      .meta({ description: "The first 1,000 samples of the query" }),
    samples_total: z.int().min(0).meta({ description: "Number of samples of the query; 0 without one" }),
    next_at: timeSchema.nullable().meta({ description: "Next time of the schedule; null: none" }),
  })
  .meta({ id: "AutomationPlan" });
export type AutomationPlan = z.infer<typeof automationPlanSchema>;

export const automationHistorySchema = z
  .object({
    history: z.array(
      z.object({
        at: timeSchema,
        kind: z.enum(HISTORY_KINDS),
        run_id: z.string().nullable(),
        run_name: z.string().nullable(),
        run_state: z.string().nullable().meta({ description: "State of the run now" }),
        samples: z.int().min(0).meta({ description: "Number of samples that it started" }),
        detail: z.string(),
        actor: z.string(),
      }),
    ),
  })
  .meta({ id: "AutomationHistory", description: "The newest 200 entries, newest first" });
export type AutomationHistory = z.infer<typeof automationHistorySchema>;
