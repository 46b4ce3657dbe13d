import { z } from "zod";
import { namedObject } from "../records/named-object.ts";
import { toleranceSchema, verdictSchema } from "../records/comparison-record.ts";
import { datasetQuerySchema, queryIdSchema } from "../records/dataset-record.ts";
import { bytesSchema, jobIdSchema, timeSchema } from "../records/primitives.ts";
import { draftOfRunSchema, foreignSchema, runOptionsSchema, tagsSchema } from "../records/run-record.ts";
import { recordedReviewSchema } from "../records/review-record.ts";
import { RUN_PARTS } from "../records/run-parts.ts";
import { testResultSchema } from "../records/test-record.ts";
import { wesRequestSchema } from "../records/wes-record.ts";
import { outcomeSchema, runStateSchema, stateReasonSchema } from "../records/state.ts";
import {
  digestSchema,
  fetchProgressSchema,
  hexSha256Schema,
  idempotencySchema,
  recordedFileSchema,
  recordedKillSchema,
  runEvent,
  runEventOf,
} from "./event-parts.ts";
import { automationOfRunSchema } from "./automation-events.ts";
import type { Immutable } from "../records/immutable.ts";

/** A step that will have jobs. */
export const recordedStepSchema = namedObject("RecordedStep", {
  step: z.string().describe("Path of the step: `outer/inner`; empty for a single tool"),
  label: z.string().optional(),
  jobs_total: z.int().min(0),
  jobs_total_is_final: z.boolean().describe("False while the size of a scatter is unknown"),
});
export type RecordedStep = Immutable<z.infer<typeof recordedStepSchema>>;

/** The content of a remote file when the run got it. */
const pinnedFileSchema = namedObject("PinnedFile", {
  url: z.string().describe("Address without passwords"),
  checksum: z.string().describe("`sha1$` and hexadecimal digits"),
  sha256: hexSha256Schema,
  size: bytesSchema,
});
export type PinnedFile = Immutable<z.infer<typeof pinnedFileSchema>>;

/** Disk space of a run. */
const measuredBytesSchema = namedObject("MeasuredBytes", {
  outputs_bytes: bytesSchema,
  intermediate_bytes: bytesSchema,
  logs_bytes: bytesSchema,
});
export type MeasuredBytes = Immutable<z.infer<typeof measuredBytesSchema>>;

const removalFailureSchema = namedObject("RemovalFailure", {
  path: z.string().describe("Relative to the folder of the run"),
  message: z.string(),
});
export type RemovalFailure = Immutable<z.infer<typeof removalFailureSchema>>;

/** The changed fields of a run's description. */
const describedSchema = z
  .object({
    name: z.string(),
    note: z.string().describe("Empty: none"),
    tags: tagsSchema,
    archived: z.boolean().describe("Whether lists hide the run"),
    pinned: z.boolean().describe("Whether the list of runs shows the run on top"),
  })
  .partial()
  .meta({ id: "RunDescription" });

const filesSchema = z.array(recordedFileSchema);

export const runCreated = runEvent("run.created", {
  kind: z.enum(["network", "tool"]),
  process_id: z.string().describe("Name of the network or tool in the catalog; digest of a WES document"),
  process_version: z.string().nullable(),
  process_digest: z.string(),
  process_label: z.string().optional().describe("CWL `label` of the process"),
  name: z.string(),
  tags: tagsSchema,
  options: runOptionsSchema,
  document: digestSchema.describe("Digest of the packed CWL document"),
  document_uri: z.string().describe("Portable address of the document"),
  inputs: digestSchema.describe("Digest of the CWL input object"),
  samples: z.record(z.string(), z.array(z.string())).describe("Input name to the sample names of its elements"),
  sinks: z
    .record(z.string(), z.string())
    .optional()
    .describe("`sink_data` of the request; absent if outputs are copied nowhere"),
  uses: z
    .array(z.string())
    .optional()
    .describe("Parts of other runs, and uploads, that hold inputs: `runs/ID/outputs`, `uploads/ID`"),
  steps: z.array(recordedStepSchema),
  reproduces: z
    .object({ run_id: z.string(), tolerance: toleranceSchema })
    .optional()
    .describe("The run that this one reproduces"),
  engine_version: z.string().optional().describe("Version of Weft; absent in old logs"),
  engine_platform: z
    .string()
    .optional()
    .describe("System and processor of the server: `linux-x64`; absent in old logs"),
  idempotency: idempotencySchema,
  retry_of: z.string().optional().describe("The run that this one retries"),
  wes: wesRequestSchema.optional().describe("The request of a client of GA4GH WES"),
  test: z
    .object({
      name: z.string(),
      text: digestSchema.describe("Digest of the test"),
      uri: z.string().describe("Portable address of the test"),
    })
    .optional()
    .describe("The test of the process that the run is"),
  automation: automationOfRunSchema.optional().describe("The automation that started the run"),
  draft: draftOfRunSchema.optional().describe("The draft that the document is; absent: it is published"),
  dataset: z
    .object({
      query: datasetQuerySchema,
      query_id: queryIdSchema.optional().describe("The saved query, which may have changed since"),
      name: z.string().optional().describe("Name of the saved query"),
      result: digestSchema.describe("Digest of the result when the query ran"),
      asked_at: timeSchema
        .optional()
        .describe("When the query ran, if for an earlier run; absent: when the run started"),
    })
    .optional()
    .describe("The query of a dataset whose samples the run received"),
});

export const runStarted = runEvent("run.started", {});

export const runSteps = runEvent("run.steps", {
  steps: z.array(recordedStepSchema).describe("Steps whose number of jobs has changed"),
});

export const runInputs = runEvent("run.inputs", { files: filesSchema });

/** Files of a run's many outputs, before it ends. A server that resumes the run starts over from 0. */
export const runOutputs = runEvent("run.outputs", {
  first: z.int().min(0).describe("Number of files in earlier events of this kind; 0 replaces them"),
  files: filesSchema,
});

export const runCanceling = runEvent("run.canceling", {
  outstanding_jobs: z.array(jobIdSchema).describe("At most the first 1,000"),
});

export const runEnded = runEvent("run.ended", {
  state: runStateSchema,
  outcome: outcomeSchema,
  reason: stateReasonSchema.nullable(),
  outputs: digestSchema.nullable().describe("Digest of the CWL output object"),
  files: filesSchema.describe("Files of the outputs; the last ones if there are `run.outputs` events"),
  files_before: z
    .int()
    .min(1)
    .optional()
    .describe("Number of files in `run.outputs` events; absent: none, and those that exist do not count"),
  kill: recordedKillSchema.optional().describe("How Weft stopped all jobs together"),
  placed: digestSchema.optional().describe("Digest of the list of copies in `sinks`"),
});

/** The verdict of a run that reproduces another, after its end. */
export const runCompared = runEvent("run.compared", { with: z.string(), verdict: verdictSchema });

/** Events about a run as a whole. */
export const RUN_EVENTS = [
  runCreated,
  runEventOf("run.fetching", fetchProgressSchema),
  runEvent("run.fetched", { files: z.array(pinnedFileSchema) }),
  runStarted,
  runEvent("run.reattached", {
    alone: z.boolean().describe("True if the restarted server watched this run before it resumed others"),
  }),
  runSteps,
  runInputs,
  runOutputs,
  runEventOf("run.described", describedSchema),
  runEvent("run.reviewed", {
    reviews: z.array(recordedReviewSchema).describe("Each replaces the earlier review of its sample"),
  }),
  runEvent("run.review-needed", {
    output: z.string().describe("The output with pictures of the samples"),
    samples: z.int().min(1).describe("Number of samples to review"),
  }),
  runEvent("run.paused", { reason: stateReasonSchema }),
  runEvent("run.resumed", {}),
  runCanceling,
  runEnded,
  runCompared,
  // The result of a run that is a test.
  runEventOf("run.tested", testResultSchema),
  runEventOf("run.measured", measuredBytesSchema),
  // After this event, clients must not rely on the part. The log refuses the event while an open run relies on it.
  runEvent("run.pruning", { part: z.enum(RUN_PARTS) }),
  runEvent("run.pruned", {
    part: z.enum(RUN_PARTS),
    bytes: bytesSchema.describe("Bytes freed"),
    failures: z.array(removalFailureSchema).describe("The first few files that Weft could not remove"),
    left: measuredBytesSchema,
  }),
  // The events in `folded` are projected with their own times.
  runEvent("run.imported", {
    made_as: z.string().describe("ID of the run on the server that made it"),
    made_by: z.string(),
    made_at: timeSchema,
    engine_version: z.string().optional().describe("Version of the Weft that made it"),
    crate_sha256: hexSha256Schema.describe("SHA-256 of `ro-crate-metadata.json`"),
    events: digestSchema.describe("Digest of the original events, one JSON object per line"),
    folded: digestSchema.describe("Digest of the events with addresses of this server, one per line"),
    document: digestSchema,
    files: filesSchema.describe("Files that the crate brought"),
    foreign: foreignSchema.optional().describe("Present if another program wrote the crate"),
  }),
] as const;
