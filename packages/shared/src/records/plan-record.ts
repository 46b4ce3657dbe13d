import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { CONTAINER_PLACES } from "./container-record.ts";
import { commandSchema, plannedCacheSchema, resourcesRequestedSchema } from "./job-record.ts";
import { cwlObjectSchema } from "./primitives.ts";
import { processReferenceSchema } from "./run-record.ts";

/** The environment of a planned job. */
export const plannedContainerSchema = namedObject("PlannedContainer", {
  image: z.string().describe("As the tool names it"),
  engine: z.enum([...CONTAINER_PLACES, "none"]).describe("`none`: the job would run without a container; see `why`"),
  version: z.string().optional(),
  digest: z
    .string()
    .nullable()
    .optional()
    .describe("null if the image is not here yet, or the engine does not report it"),
  why: z.string().optional(),
});
export type PlannedContainer = z.infer<typeof plannedContainerSchema>;

export const plannedJobSchema = namedObject("PlannedJob", {
  step: z.string(),
  sample_id: z.string().nullable(),
  scatter_index: z.array(z.int().min(0)),
  command: commandSchema
    .nullable()
    .describe("Paths contain `planned` instead of the run ID; null for an ExpressionTool"),
  container: plannedContainerSchema.nullable().describe("null if the tool requests none"),
  resources: resourcesRequestedSchema.nullable(),
  cache: plannedCacheSchema,
});
export type PlannedJob = z.infer<typeof plannedJobSchema>;

export const plannedStepSchema = namedObject("PlannedStep", {
  step: z.string(),
  label: z.string().optional(),
  jobs_total: z.int().min(0),
  jobs_total_is_final: z.boolean(),
  unknown_because: z
    .array(z.string())
    .describe("Why its jobs are unknown until others finish, one reason each; empty if known"),
});
export type PlannedStep = z.infer<typeof plannedStepSchema>;

/** The plan of a run: `POST /api/plans`. */
export const planSchema = namedObject("Plan", {
  network: processReferenceSchema.optional(),
  tool: processReferenceSchema.optional(),
  inputs: cwlObjectSchema.describe("With defaults applied and files found"),
  steps: z.array(plannedStepSchema),
  jobs: z
    .array(plannedJobSchema)
    .describe(
      "Jobs known now, at most 200: those that could start immediately, and those after jobs that would be reused or only compute values",
    ),
  jobs_shown_of: z.int().min(0),
});
export type Plan = z.infer<typeof planSchema>;
