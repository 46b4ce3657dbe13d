import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import { MEMORY_SOURCES } from "./job-record.ts";
import { bytesSchema, durationMsSchema, runNameSchema, timeSchema } from "./primitives.ts";

/** The tolerance for numbers in tables and JSON: `|a - b| <= absolute + relative * max(|a|, |b|)`. */
export const toleranceSchema = namedObject("Tolerance", {
  relative: z.number().min(0).max(1),
  absolute: z.number().min(0),
});
export type Tolerance = z.infer<typeof toleranceSchema>;

/** The body of POST /api/runs/{run_id}/reproduce. */
export const reproduceSchema = namedStrictObject("Reproduce", {
  name: runNameSchema.optional(),
  tolerance: z
    .strictObject({ relative: z.number().min(0).max(1).optional(), absolute: z.number().min(0).optional() })
    .optional()
    .describe("Tolerance for numbers in CSV, TSV and JSON files and in plain values. Absent: numbers must be equal"),
});
export type Reproduce = z.infer<typeof reproduceSchema>;

export const COMPARED = ["identical", "within_tolerance", "different"] as const;

export const comparedThingSchema = namedObject("ComparedThing", {
  name: z.string().describe("Output or input, with the position in it: `louds[2]`"),
  result: z.enum(COMPARED),
  detail: z.string().nullable().describe("Difference; for small texts, the first different line"),
});
export type ComparedThing = z.infer<typeof comparedThingSchema>;

const verdictShape = {
  result: z.enum(COMPARED),
  sentence: z.string().describe("For people: `Same document, same inputs: 1 of 7 outputs differs; …`"),
  same_document: z.boolean(),
  inputs_compared: z.int().min(0),
  outputs_compared: z.int().min(0),
  inputs: z.array(comparedThingSchema).describe("Different inputs, at most 200"),
  outputs: z.array(comparedThingSchema).describe("Non-identical outputs, at most 200"),
  surroundings: z.array(z.string()).describe("Other differences, in sentences: tools, containers, versions of Weft"),
  first_difference: z
    .object({
      job_id: z.string(),
      step: z.string(),
      sample_id: z.string().nullable(),
      output: z
        .string()
        .nullable()
        .optional()
        .describe(
          "First different output of the job, with the position in it: `table`, `counts[2].mean`; null if the states differ, absent in verdicts of earlier versions",
        ),
    })
    .nullable()
    .describe("The first job in queue order that had the same inputs but a different result"),
} as const;

/** The result of comparing two runs. */
export const verdictSchema = namedObject("Verdict", verdictShape);
export type Verdict = z.infer<typeof verdictSchema>;

const usedShape = {
  attempts: z.int().min(0).describe("Number of finished attempts, without reused results and expressions"),
  jobs_cached: z.int().min(0).describe("Jobs that reused an earlier result"),
  running_ms: durationMsSchema.describe("Running time of all attempts, in milliseconds"),
  cpu_ms: durationMsSchema.nullable().describe("CPU time of measured attempts, in milliseconds; null if none"),
  cpu_measured: z.int().min(0).describe("Number of attempts whose CPU time is known"),
  max_rss_bytes: bytesSchema.nullable().describe("Highest peak of an attempt, in bytes"),
  memory_measured: z.int().min(0).describe("Number of attempts whose memory use is known"),
  memory_sources: z
    .array(z.enum(MEMORY_SOURCES))
    .describe("How Weft measured memory; do not compare different sources"),
} as const;
export type UsedByJobs = z.infer<z.ZodObject<typeof usedShape>>;

/** The duration of a run and the resources that its jobs used. */
export const runUsedSchema = namedObject("RunUsed", {
  duration_ms: durationMsSchema.nullable().describe("Milliseconds; null if the run never started"),
  ...usedShape,
  steps: z.array(z.object({ step: z.string(), ...usedShape })).describe("Usage by step, in queue order, at most 200"),
});
export type RunUsed = z.infer<typeof runUsedSchema>;

export const runComparisonSchema = namedObject("RunComparison", {
  run_id: z.string(),
  with: z.string(),
  ...verdictShape,
  used: z
    .object({ first: runUsedSchema, second: runUsedSchema })
    .describe("Usage of `run_id` and `with`; not part of the verdict"),
});
export type RunComparison = z.infer<typeof runComparisonSchema>;

/** Which run a reproduction repeats, and the result of comparing the two. */
export const reproductionSchema = namedObject("Reproduction", {
  of: z.string().describe("ID of the run"),
  url: z.string(),
  tolerance: toleranceSchema,
  verdict: verdictSchema.nullable().describe("null until Weft has compared the runs"),
  compared_at: timeSchema.nullable(),
});
