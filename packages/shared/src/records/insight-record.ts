import { z } from "zod";
import { bytesSchema, durationMsSchema, runIdSchema, timeSchema } from "./primitives.ts";
import { MEMORY_SOURCES } from "./job-record.ts";

/** An estimated duration with its range. */
export const estimateSchema = z
  .object({
    expected_ms: durationMsSchema,
    low_ms: durationMsSchema,
    high_ms: durationMsSchema.meta({
      description: "The true value is between `low_ms` and `high_ms` in 8 of 10 cases",
    }),
  })
  .meta({ id: "Estimate" });
export type Estimate = z.infer<typeof estimateSchema>;

export const stepForecastSchema = z
  .object({
    step: z.string(),
    jobs_left: z.int().min(0).meta({ description: "Running, queued and future jobs, as far as known" }),
    jobs_left_is_final: z.boolean().meta({ description: "False if inferred from earlier runs" }),
    left: estimateSchema.nullable().meta({ description: "Time left for this step alone; null: unknown" }),
    job: estimateSchema.nullable().meta({ description: "Time of one job" }),
    jobs_of_run: z.int().min(0).meta({ description: "Finished jobs of this run that the estimate uses" }),
    jobs_before: z.int().min(0).meta({ description: "Jobs of earlier runs that the estimate uses" }),
  })
  .meta({ id: "StepForecast" });
export type StepForecast = z.infer<typeof stepForecastSchema>;

export const forecastSchema = z
  .object({
    run_id: runIdSchema,
    as_of: timeSchema,
    left: estimateSchema.nullable().meta({ description: "Until the run finishes; null if unknown or finished" }),
    unknown: z.string().nullable().meta({ description: "Why `left` is unknown: one sentence" }),
    runs_before: z.int().min(0).meta({ description: "Number of earlier runs used" }),
    steps: z.array(stepForecastSchema).meta({ description: "Steps with jobs left, at most 1,000" }),
  })
  .meta({ id: "Forecast" });
export type Forecast = z.infer<typeof forecastSchema>;

function distributionSchema(value: z.ZodNumber | z.ZodInt) {
  return z.object({ jobs: z.int().min(1), p50: value, p95: value, max: value });
}

const usedSchema = z.object({
  cores: distributionSchema(z.number())
    .nullable()
    .meta({ description: "CPU time per running time, for jobs of 1 s or more" }),
  ram_bytes: distributionSchema(z.int()).nullable(),
  time_ms: distributionSchema(z.int()).nullable(),
});

/** Requested, used and sufficient resources of jobs. */
export const sizingSchema = z
  .object({
    jobs: z.int().min(0).meta({ description: "Number of latest successful jobs, without reused results" }),
    runs: z.int().min(0),
    requested: z
      .object({ cores: z.number().nullable(), ram_bytes: bytesSchema.nullable() })
      .meta({ description: "By the latest job" }),
    used: usedSchema,
    memory_sources: z.array(z.enum(MEMORY_SOURCES)).meta({ description: "How memory was measured" }),
    out_of_memory_jobs: z.int().min(0).meta({ description: "Number of jobs that ran out of memory" }),
    suggestion: z
      .object({
        cores_min: z.number().nullable(),
        ram_min_mib: z.int().nullable(),
        text: z.string().meta({ description: "Lines for the tool's `requirements`" }),
        jobs: z.int().min(1).meta({ description: "Smallest number of jobs behind one line" }),
      })
      .nullable()
      .meta({ description: "null: too few measurements" }),
  })
  .meta({ id: "Sizing" });
export type Sizing = z.infer<typeof sizingSchema>;

export const runSizingSchema = z
  .object({
    run_id: runIdSchema,
    steps: z
      .array(
        z.object({
          step: z.string(),
          tool: z.object({ id: z.string(), version: z.string().nullable() }).nullable().meta({
            description: "null for a tool inside the network's document",
          }),
          sizing: sizingSchema.meta({
            description: "For this run and the latest five earlier runs of its network",
          }),
          used_here: usedSchema.meta({
            description: "By the successful jobs of this run alone; null where none was measured",
          }),
        }),
      )
      .meta({ description: "At most 1,000 steps" }),
  })
  .meta({ id: "RunSizing" });
export type RunSizing = z.infer<typeof runSizingSchema>;
