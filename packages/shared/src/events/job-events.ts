import { z } from "zod";
import { namedObject } from "../records/named-object.ts";
import { CONTAINER_PLACES } from "../records/container-record.ts";
import { jobContainerSchema } from "../records/job-container.ts";
import { CACHE_DECISIONS, cacheDifferenceSchema, commandSchema, jobToolSchema } from "../records/job-record.ts";
import { bytesSchema, durationMsSchema, jobIdSchema } from "../records/primitives.ts";
import { jobSandboxSchema } from "../records/sandbox-record.ts";
import { jobStateSchema, stateReasonSchema } from "../records/state.ts";
import {
  attemptEndShape,
  digestSchema,
  fetchProgressSchema,
  jobEvent,
  jobEventOf,
  recordedFileSchema,
  recordedKillSchema,
} from "./event-parts.ts";
import type { Immutable } from "../records/immutable.ts";

const digestsSchema = z.record(z.string(), z.string());

/** Everything that determines the result of a job, as separate components, so that two jobs can be compared. */
const keyPartsSchema = namedObject("CacheKeyParts", {
  v: z.literal(1).describe("Version of the rules; keys of different versions are never equal"),
  tool: z.string(),
  requirements: digestsSchema.describe("CWL requirements in effect that can change a result, by class"),
  container: z.string().describe("Digest of the image (or its name if there is none), or `none`"),
  resources: z
    .object({ cores: z.number(), ram: z.number(), tmpdir: z.number(), outdir: z.number() })
    .describe("CWL `runtime`: cores, and MiB of memory and disk"),
  environment: digestsSchema.describe("Variables of the machine that a job without a container sees"),
  files: digestsSchema.describe("Files that the document puts into the working folder"),
  inputs: digestsSchema,
});
export type KeyParts = Immutable<z.infer<typeof keyPartsSchema>>;

/** Says whether a job reused the result of an earlier job, and why. */
export const recordedCacheSchema = namedObject("RecordedCache", {
  decision: z.enum(CACHE_DECISIONS),
  reason: z.string(),
  diff: z.array(cacheDifferenceSchema).describe("For a miss: differences from the closest job"),
  job: z
    .object({ run_id: z.string(), job_id: jobIdSchema })
    .optional()
    .describe("For a hit, the job whose result was reused; for a miss, the closest"),
  key: z.string().optional().describe("Absent if Weft computed none; then it does not keep the result"),
  parts: keyPartsSchema.optional(),
});
export type RecordedCache = Immutable<z.infer<typeof recordedCacheSchema>>;

/** A result that later jobs may reuse. */
const reusableResultSchema = namedObject("ReusableResult", {
  key: z.string(),
  outputs: digestsSchema.describe("Digest of the content of each output"),
});
export type ReusableResult = Immutable<z.infer<typeof reusableResultSchema>>;

const attemptSchema = z.int().min(1).describe("Number of the attempt, from 1");

export const jobQueued = jobEvent("job.queued", {
  call_id: z.string().describe("Name of the call in the network"),
  n: z.int().describe("Number of the job in its run"),
  scatter_index: z.array(z.int().min(0)),
  tool: jobToolSchema,
});

export const jobStarted = jobEvent("job.started", {
  attempt: attemptSchema,
  command: commandSchema.nullable().describe("null for an ExpressionTool"),
  cores: z.number(),
  ram_bytes: bytesSchema,
  backend: z.string(),
  inputs: digestSchema.describe("Digest of the CWL input object of the job"),
  files: z.array(recordedFileSchema).describe("Files of the inputs"),
  container: jobContainerSchema.optional().describe("Present if the tool requests a container"),
  sandbox: jobSandboxSchema
    .optional()
    .describe("Present for a command that runs on this machine without a container; absent in old logs"),
  cache: recordedCacheSchema
    .optional()
    .describe("After a hit, nothing runs; `job.ended` follows in the same transaction"),
  ahead: z
    .literal(true)
    .optional()
    .describe("The job is prepared but still waits; its `job.running` or `job.ended` event says when it started"),
});

const lateMsSchema = durationMsSchema
  .optional()
  .describe("How long before the time of the event this happened, in milliseconds");

/** The log lacks this event if the job was over within 100 ms. */
export const jobRunning = jobEvent("job.running", {
  native_id: z.string().describe("ID of the process or of the backend's task"),
  late_ms: lateMsSchema,
});

/** The log lacks this event if the outputs were collected within 100 ms. */
export const jobExited = jobEvent("job.exited", {
  exit_code: z.int().nullable(),
  signal: z.int().nullable(),
  late_ms: lateMsSchema,
});

/** An attempt failed and another one follows; the output of the failed attempt is discarded. */
export const jobRetrying = jobEvent("job.retrying", {
  attempt: attemptSchema.describe("Number of the attempt that failed"),
  state: jobStateSchema,
  reason: stateReasonSchema,
  ...attemptEndShape,
  delay_ms: z.number().describe("Milliseconds until the next attempt"),
  waiting: stateReasonSchema.describe("Why the job waits now"),
});

export const jobEnded = jobEvent("job.ended", {
  state: jobStateSchema,
  reason: stateReasonSchema.nullable(),
  ...attemptEndShape,
  outputs: digestSchema.nullable().describe("Digest of the CWL output object of the job"),
  files: z.array(recordedFileSchema).describe("Files of the outputs"),
  reusable: z
    .union([reusableResultSchema, z.string()])
    .optional()
    .describe("The result for later jobs, or why they cannot reuse it; absent if Weft was not to keep it"),
});

/** Events about one job. */
export const JOB_EVENTS = [
  jobQueued,
  jobEvent("job.image", {
    engine: z.enum(CONTAINER_PLACES),
    image: z.string().describe("The image that the job waits for"),
    reason: stateReasonSchema.optional().describe("Absent in old logs"),
  }),
  jobEventOf("job.fetching", fetchProgressSchema),
  jobStarted,
  jobRunning,
  jobExited,
  jobRetrying,
  jobEnded,
  jobEvent("job.late", { state: jobStateSchema.describe("State that a finished job reported later") }),
  // May follow the end of the job.
  jobEvent("job.killed", { ...recordedKillSchema.shape, attempt: attemptSchema }),
] as const;
