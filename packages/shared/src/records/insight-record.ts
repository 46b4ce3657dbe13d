import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { bytesSchema, durationMsSchema, runIdSchema, timeSchema } from "./primitives.ts";
import { MEMORY_SOURCES } from "./job-record.ts";

/** An estimated duration with its range. */
export const estimateSchema = namedObject("Estimate", {
  expected_ms: durationMsSchema,
  low_ms: durationMsSchema,
  high_ms: durationMsSchema.describe("The true value is between `low_ms` and `high_ms` in 8 of 10 cases"),
});
export type Estimate = z.infer<typeof estimateSchema>;

export const stepForecastSchema = namedObject("StepForecast", {
  step: z.string(),
  jobs_left: z.int().min(0).describe("Running, queued and future jobs, as far as known"),
  jobs_left_is_final: z.boolean().describe("False if inferred from earlier runs"),
  left: estimateSchema.nullable().describe("Time left for this step alone; null: unknown"),
  job: estimateSchema.nullable().describe("Time of one job"),
  jobs_of_run: z.int().min(0).describe("Finished jobs of this run that the estimate uses"),
  jobs_before: z.int().min(0).describe("Jobs of earlier runs that the estimate uses"),
});
export type StepForecast = z.infer<typeof stepForecastSchema>;

export const forecastSchema = namedObject("Forecast", {
  run_id: runIdSchema,
  as_of: timeSchema,
  left: estimateSchema.nullable().describe("Until the run finishes; null if unknown or finished"),
  unknown: z.string().nullable().describe("Why `left` is unknown: one sentence"),
  runs_before: z.int().min(0).describe("Number of earlier runs used"),
  steps: z.array(stepForecastSchema).describe("Steps with jobs left, at most 1,000"),
});
export type Forecast = z.infer<typeof forecastSchema>;

function distributionSchema(value: z.ZodNumber | z.ZodInt) {
  return z.object({ jobs: z.int().min(1), p50: value, p95: value, max: value });
}

const usedSchema = z.object({
  cores: distributionSchema(z.number()).nullable().describe("CPU time per running time, for jobs of 1 s or more"),
  ram_bytes: distributionSchema(z.int()).nullable(),
  time_ms: distributionSchema(z.int()).nullable(),
});

/** Requested, used and sufficient resources of jobs. */
export const sizingSchema = namedObject("Sizing", {
  jobs: z.int().min(0).describe("Number of latest successful jobs, without reused results"),
  runs: z.int().min(0),
  requested: z
    .object({ cores: z.number().nullable(), ram_bytes: bytesSchema.nullable() })
    .describe("By the latest job"),
  used: usedSchema,
  memory_sources: z.array(z.enum(MEMORY_SOURCES)).describe("How memory was measured"),
  out_of_memory_jobs: z.int().min(0).describe("Number of jobs that ran out of memory"),
  suggestion: z
    .object({
      cores_min: z.number().nullable(),
      ram_min_mib: z.int().nullable(),
      text: z.string().describe("Lines for the tool's `requirements`"),
      jobs: z.int().min(1).describe("Smallest number of jobs behind one line"),
    })
    .nullable()
    .describe("null: too few measurements"),
});
export type Sizing = z.infer<typeof sizingSchema>;

export const runSizingSchema = namedObject("RunSizing", {
  run_id: runIdSchema,
  steps: z
    .array(
      z.object({
        step: z.string(),
        tool: z
          .object({ id: z.string(), version: z.string().nullable() })
          .nullable()
          .describe("null for a tool inside the network's document"),
        sizing: sizingSchema.describe("For this run and the latest five earlier runs of its network"),
        used_here: usedSchema.describe("By the successful jobs of this run alone; null where none was measured"),
      }),
    )
    .describe("At most 1,000 steps"),
});
export type RunSizing = z.infer<typeof runSizingSchema>;
