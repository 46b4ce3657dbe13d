import { z } from "zod";
import { verdictSchema, toleranceSchema } from "./comparison-record.ts";
import { CONTAINER_PLACES } from "./container-record.ts";
import { bytesSchema, durationMsSchema, jobIdSchema, timeSchema } from "./primitives.ts";
import { cacheDifferenceSchema, CACHE_DECISIONS, commandSchema, jobToolSchema, MEMORY_SOURCES } from "./job-record.ts";
import { runOptionsSchema, tagsSchema } from "./run-record.ts";
import { jobSandboxSchema } from "./sandbox-record.ts";
import { jobStateSchema, outcomeSchema, runStateSchema, stateReasonSchema } from "./state.ts";

const hexSchema = z.string().regex(/^[0-9a-f]{64}$/);
const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const textSchema = z.string().max(10_000);

/** One line of `weft/events.jsonl` in a crate: an event as its server has chained it. */
export const crateLineSchema = z.object({
  seq: z.int().min(1),
  type: z.string(),
  time: timeSchema,
  run_id: z.string().nullable(),
  job_id: z.string().nullable(),
  step: z.string().nullable(),
  sample_id: z.string().nullable(),
  actor: textSchema,
  data: z.record(z.string(), z.unknown()),
  previous: hexSchema,
  hash: hexSchema,
});
export type CrateLine = z.infer<typeof crateLineSchema>;

/** One line of `weft/documents.jsonl`: a text and its digest. */
export const crateDocumentSchema = z.object({ digest: z.string(), text: z.string() });

/** The fields that Weft reads of an entity in `ro-crate-metadata.json`. */
export const crateEntitySchema = z.object({
  "@id": z.string(),
  "@type": z.union([z.string(), z.array(z.string())]),
  name: z.string().optional(),
  sha256: z.string().optional(),
});

/** The fields of an event's file that Weft compares with the file in the crate. */
export const crateFileSchema = z.object({ name: z.string(), uri: z.string(), sha256: z.string().optional() });

/** One line of `weft/files.jsonl`: where a file of the crate lay, as events name it. */
export const crateAddressSchema = z.object({ name: textSchema, uri: textSchema });

const fileSchema = z.object({
  port: textSchema,
  place: textSchema.optional(),
  class: z.literal("Directory").optional(),
  name: textSchema,
  uri: textSchema,
  source_uri: textSchema.optional(),
  checksum: z
    .string()
    .regex(/^sha1\$[0-9a-f]{40}$/)
    .nullable(),
  sha256: hexSchema.optional(),
  size: bytesSchema.nullable(),
});
const filesSchema = z.array(fileSchema);
const stepSchema = z.object({
  step: textSchema,
  label: textSchema.optional(),
  jobs_total: z.int().min(0),
  jobs_total_is_final: z.boolean(),
});
const containerSchema = z.union([
  z.object({ engine: z.literal("none"), image: textSchema, why: textSchema }),
  z.object({
    engine: z.enum(CONTAINER_PLACES),
    image: textSchema,
    digest: z.string().nullable(),
    missed: z.object({ digest: z.string(), why: textSchema }).optional(),
    version: textSchema,
  }),
]);
const cacheSchema = z.object({
  decision: z.enum(CACHE_DECISIONS),
  reason: textSchema,
  diff: z.array(cacheDifferenceSchema),
  job: z.object({ run_id: z.string(), job_id: jobIdSchema }).optional(),
});
const useShape = {
  exit_code: z.int().nullable(),
  signal: z.int().nullable(),
  cpu_ms: durationMsSchema.nullable(),
  max_rss_bytes: bytesSchema.nullable(),
  memory_source: z.enum(MEMORY_SOURCES).nullable().optional(),
  io_read_bytes: bytesSchema.nullable().optional(),
  io_write_bytes: bytesSchema.nullable().optional(),
  stderr_tail: z.string().optional(),
};
const ofRun = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), data });
const ofJob = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    job_id: jobIdSchema,
    step: textSchema.nullable(),
    sample_id: textSchema.nullable(),
    data,
  });

/**
 * What another server takes from the events of a crate: what the run was and did. Fields and types of events that are left out
 * are matters of the server that ran it (keys of its cache, its disk, how it ended processes).
 */
export const crateEventSchema = z.discriminatedUnion("type", [
  ofRun(
    "run.created",
    z.object({
      kind: z.enum(["network", "tool"]),
      process_id: textSchema,
      process_version: textSchema.nullable(),
      process_digest: textSchema,
      process_label: textSchema.optional(),
      name: textSchema,
      tags: tagsSchema,
      options: runOptionsSchema,
      document: digestSchema,
      document_uri: textSchema,
      inputs: digestSchema,
      samples: z.record(z.string(), z.array(z.string())),
      steps: z.array(stepSchema),
      reproduces: z.object({ run_id: z.string(), tolerance: toleranceSchema }).optional(),
      engine_version: textSchema.optional(),
    }),
  ),
  ofRun("run.started", z.object({})),
  ofRun("run.steps", z.object({ steps: z.array(stepSchema) })),
  ofRun("run.inputs", z.object({ files: filesSchema })),
  ofRun("run.canceling", z.object({ outstanding_jobs: z.array(jobIdSchema) })),
  ofRun(
    "run.ended",
    z.object({
      state: runStateSchema,
      outcome: outcomeSchema,
      reason: stateReasonSchema.nullable(),
      outputs: digestSchema.nullable(),
      files: filesSchema,
    }),
  ),
  ofRun("run.compared", z.object({ with: z.string(), verdict: verdictSchema })),
  ofJob(
    "job.queued",
    z.object({ call_id: textSchema, n: z.int(), scatter_index: z.array(z.int().min(0)), tool: jobToolSchema }),
  ),
  ofJob(
    "job.started",
    z.object({
      attempt: z.int().min(1).max(1000),
      command: commandSchema.nullable(),
      cores: z.number(),
      ram_bytes: bytesSchema,
      backend: textSchema,
      inputs: digestSchema,
      files: filesSchema,
      container: containerSchema.optional(),
      sandbox: jobSandboxSchema.optional(),
      cache: cacheSchema.optional(),
    }),
  ),
  ofJob("job.running", z.object({ native_id: textSchema })),
  ofJob("job.exited", z.object({ exit_code: z.int().nullable(), signal: z.int().nullable() })),
  ofJob(
    "job.retrying",
    z.object({
      attempt: z.int().min(1).max(1000),
      state: jobStateSchema,
      reason: stateReasonSchema,
      ...useShape,
      delay_ms: z.number(),
      waiting: stateReasonSchema,
    }),
  ),
  ofJob(
    "job.ended",
    z.object({
      state: jobStateSchema,
      reason: stateReasonSchema.nullable(),
      ...useShape,
      outputs: digestSchema.nullable(),
      files: filesSchema,
    }),
  ),
]);
export type CrateEvent = z.infer<typeof crateEventSchema>;
export const CRATE_EVENT_TYPES: ReadonlySet<string> = new Set(
  crateEventSchema.options.map((option) => option.shape.type.value),
);
