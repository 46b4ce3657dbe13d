import { z } from "zod";
import { MEMORY_SOURCES } from "./job-record.ts";
import { bytesSchema, durationMsSchema, timeSchema } from "./primitives.ts";

/** How far numbers in tables and JSON may be apart: `|a - b| <= absolute + relative * max(|a|, |b|)`. */
export const toleranceSchema = z
  .object({ relative: z.number().min(0).max(1), absolute: z.number().min(0) })
  .meta({ id: "Tolerance" });
export type Tolerance = z.infer<typeof toleranceSchema>;

/** POST /api/runs/{run_id}/reproduce. */
export const reproduceSchema = z
  .strictObject({
    name: z.string().max(200).optional(),
    tolerance: z
      .strictObject({ relative: z.number().min(0).max(1).optional(), absolute: z.number().min(0).optional() })
      .optional()
      .meta({
        description:
          "Tolerance for numbers in CSV, TSV and JSON files and in plain values. Absent: numbers must be equal",
      }),
  })
  .meta({ id: "Reproduce" });
export type Reproduce = z.infer<typeof reproduceSchema>;

export const COMPARED = ["identical", "within_tolerance", "different"] as const;

export const comparedThingSchema = z
  .object({
    name: z.string().meta({ description: "Output or input and the place in it: `louds[2]`" }),
    result: z.enum(COMPARED),
    detail: z.string().nullable().meta({ description: "What differs: for small texts the first line that does" }),
  })
  .meta({ id: "ComparedThing" });
export type ComparedThing = z.infer<typeof comparedThingSchema>;

const verdictShape = {
  result: z.enum(COMPARED),
  sentence: z.string().meta({ description: "For people: `Same document, same inputs: 1 of 7 outputs differs; …`" }),
  same_document: z.boolean(),
  inputs_compared: z.int().min(0),
  outputs_compared: z.int().min(0),
  inputs: z.array(comparedThingSchema).meta({ description: "Those that differ, at most 200" }),
  outputs: z.array(comparedThingSchema).meta({ description: "Those that are not identical, at most 200" }),
  surroundings: z
    .array(z.string())
    .meta({ description: "What else was not the same: tools, containers, versions of Weft; sentences" }),
  first_difference: z
    .object({
      job_id: z.string(),
      step: z.string(),
      sample_id: z.string().nullable(),
      output: z.string().nullable().optional().meta({
        description:
          "Output of the job and the place in it that differs first, a file or any other value: `table`, `counts[2].mean`; null where it ended in another state, absent in verdicts of earlier versions",
      }),
    })
    .nullable()
    .meta({ description: "The first job, in the order of queueing, that had the same inputs and gave something else" }),
} as const;

/** The result of comparing two runs. */
export const verdictSchema = z.object(verdictShape).meta({ id: "Verdict" });
export type Verdict = z.infer<typeof verdictSchema>;

const usedShape = {
  attempts: z.int().min(0).meta({
    description: "Attempts that have started and finished; reused results and expressions do not count",
  }),
  jobs_cached: z.int().min(0).meta({ description: "Jobs that reused an earlier result" }),
  running_ms: durationMsSchema.meta({ description: "From start to end, summed over the attempts" }),
  cpu_ms: durationMsSchema
    .nullable()
    .meta({ description: "Summed over those that were measured; null where none was" }),
  cpu_measured: z.int().min(0).meta({ description: "Number of attempts whose CPU time is known" }),
  max_rss_bytes: bytesSchema.nullable().meta({ description: "The most that one attempt had" }),
  memory_measured: z.int().min(0).meta({ description: "Number of attempts whose memory use is known" }),
  memory_sources: z
    .array(z.enum(MEMORY_SOURCES))
    .meta({ description: "How it was measured: figures of different sources do not compare" }),
} as const;
export type UsedByJobs = z.infer<z.ZodObject<typeof usedShape>>;

/** How long a run took and what its jobs used. */
export const runUsedSchema = z
  .object({
    duration_ms: durationMsSchema.nullable().meta({ description: "null of a run that never started" }),
    ...usedShape,
    steps: z
      .array(z.object({ step: z.string(), ...usedShape }))
      .meta({ description: "Times by step, in the order of queueing, at most 200" }),
  })
  .meta({ id: "RunUsed" });
export type RunUsed = z.infer<typeof runUsedSchema>;

export const runComparisonSchema = z
  .object({
    run_id: z.string(),
    with: z.string(),
    ...verdictShape,
    used: z
      .object({ first: runUsedSchema, second: runUsedSchema })
      .meta({ description: "Times of `run_id` and of `with`; not part of the verdict" }),
  })
  .meta({ id: "RunComparison" });
export type RunComparison = z.infer<typeof runComparisonSchema>;

/** Which run a reproduction repeats, and the result of comparing the two. */
export const reproductionSchema = z
  .object({
    of: z.string().meta({ description: "Id of the run" }),
    url: z.string(),
    tolerance: toleranceSchema,
    verdict: verdictSchema.nullable().meta({ description: "null until the run has ended and was compared" }),
    compared_at: timeSchema.nullable(),
  })
  .meta({ id: "Reproduction" });
