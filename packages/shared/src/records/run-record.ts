import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import { boundedRecord, textList } from "./bounded.ts";
import {
  bytesSchema,
  catalogIdSchema,
  cwlObjectSchema,
  durationMsSchema,
  jobIdSchema,
  pageShape,
  runIdSchema,
  runNameSchema,
  timeSchema,
  versionSchema,
} from "./primitives.ts";
import type { Immutable } from "./immutable.ts";
import { datasetOfNewRunSchema } from "./dataset-record.ts";
import { reproductionSchema } from "./comparison-record.ts";
import { killReportSchema } from "./kill-record.ts";
import { placedFileSchema } from "./placed-file.ts";
import { KEEP_INTERMEDIATE } from "./run-parts.ts";
import { prunedPartSchema, storageSchema } from "./storage-record.ts";
import { wesRequestSchema } from "./wes-record.ts";
import { jobCountsSchema, jobStateSchema, outcomeSchema, runStateSchema, stateReasonSchema } from "./state.ts";

export const FAILURE_POLICIES = ["continue", "finish_running", "stop_now"] as const;
export const MAX_PRIORITY = 10;

export const CACHE_MODES = ["use", "refresh", "off"] as const;
export type CacheMode = (typeof CACHE_MODES)[number];

export const runOptionsSchema = namedStrictObject("RunOptions", {
  on_failure: z
    .enum(FAILURE_POLICIES)
    .optional()
    .describe(
      "Behavior after a failed job: `continue` (default) runs everything that does not depend on it, `finish_running` starts no new jobs, `stop_now` also stops running jobs. The run fails in any case",
    ),
  max_parallel_jobs: z.int().min(1).optional().describe("Maximum number of parallel jobs of this run"),
  on_out_of_memory: z
    .strictObject({
      multiply: z.number().min(1.25).max(10).describe("Factor for the memory of the next attempt"),
      up_to_bytes: bytesSchema
        .optional()
        .describe("Upper limit, in bytes; absent: the memory that the machine has for jobs"),
    })
    .optional()
    .describe(
      "Retries a job that ran out of memory (`OUT_OF_MEMORY`) with more, up to the limit. Absent: treats it like any failure",
    ),
  priority: z
    .int()
    .min(-MAX_PRIORITY)
    .max(MAX_PRIORITY)
    .optional()
    .describe(
      "Jobs of the run with the higher number start first, as long as they fit; default 0. Lower ones get only what the higher ones cannot use",
    ),
  keep_intermediate: z
    .enum(KEEP_INTERMEDIATE)
    .optional()
    .describe(
      "Whether Weft keeps intermediate files after the run: `always` (default) until an admin prunes them, `on_failure` only if the run did not succeed, `never`. Later runs cannot reuse results whose files are gone",
    ),
  sidecars: z
    .boolean()
    .optional()
    .describe(
      "Whether to write a sidecar with the provenance (W3C PROV-JSON) of each output that `sink_data` copies: `a.nii.prov.json` next to `a.nii`. Default: false",
    ),
  retries: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe(
      "How often Weft retries a failed job. Absent: not if its tool failed, twice if the exit code is temporary (`temporaryFailCodes`) or the machine lost the job",
    ),
  cache: z
    .enum(CACHE_MODES)
    .optional()
    .describe(
      "Use of the cache: `use` (default) reuses earlier results and stores new ones, `refresh` runs every job and stores the results, `off` neither reuses nor stores results",
    ),
});
export type RunOptions = z.infer<typeof runOptionsSchema>;

export const tagsSchema = boundedRecord(z.string().min(1).max(64), z.string().max(256), 1000).meta({ id: "Tags" });

/** The draft whose text a run started with. */
export const draftOfRunSchema = namedObject("DraftOfRun", {
  draft_id: z.uuid().describe("ID of the draft, which may be gone"),
  revision: z.int().min(1),
});
export type DraftOfRun = Immutable<z.infer<typeof draftOfRunSchema>>;

const flagsShape = {
  archived: z.boolean().optional().describe("Whether lists hide the run; only for finished runs"),
  pinned: z.boolean().optional().describe("Whether the list of runs shows the run on top"),
} as const;

/** The body of POST /api/runs/{run_id}/describe. */
export const describeRunSchema = z
  .strictObject({
    name: runNameSchema.optional(),
    note: z.string().trim().max(4000).optional().describe("Empty: none"),
    tags: tagsSchema.optional().describe("Replace all tags of the run"),
    ...flagsShape,
  })
  .refine((body) => Object.keys(body).length > 0, { message: "must change something" })
  .meta({ id: "DescribeRun" });
export type DescribeRun = z.infer<typeof describeRunSchema>;

/** The body of POST /api/runs/describe. */
export const describeRunsSchema = z
  .strictObject({
    run_ids: z.array(runIdSchema).min(1).max(500).describe("Runs to change, at most 500"),
    ...flagsShape,
    add_tags: tagsSchema.optional().describe("Added to the tags of each run"),
    remove_tags: z.array(z.string().max(64)).max(100).optional().describe("Names of tags to remove from each run"),
  })
  .refine((body) => Object.keys(body).length > 1, { message: "must change something" })
  .meta({ id: "DescribeRuns" });
export type DescribeRuns = z.infer<typeof describeRunsSchema>;

export const describedRunsSchema = namedObject("DescribedRuns", {
  changed: z.int().min(0).describe("Number of runs that were changed"),
  refused: z
    .array(z.object({ run_id: z.string(), code: z.string(), detail: z.string() }))
    .describe("Runs that stayed as they are, each with the reason"),
});
export type DescribedRuns = z.infer<typeof describedRunsSchema>;

export const sinkDataSchema = boundedRecord(z.string(), z.string().max(4096), 1000).meta({
  id: "SinkData",
  description:
    "Output ID to output destination: `vfs://ROOT/path`, which may contain {sample_id}, {basename}, {nameroot}, {nameext}, {output}, {index} (from 0) and {run_id}. ROOT is a name from the server's `--sink ROOT=DIR`. Weft copies the outputs when the run finishes and never replaces existing files. `bids://ROOT/FOLDER/desc-brain_mask` adds the output to the BIDS derivative dataset in FOLDER, with names made from the source of each sample",
});

/** The body of POST /api/runs. Exactly one of `network` and `tool`. */
export const createRunSchema = namedStrictObject("CreateRun", {
  network: catalogIdSchema.optional(),
  tool: catalogIdSchema.optional(),
  version: versionSchema.optional().describe("Absent: the newest that is not deprecated"),
  name: runNameSchema.optional().describe("Absent: made from the network, its samples or first input, and the time"),
  inputs: cwlObjectSchema.optional(),
  tags: tagsSchema.optional(),
  options: runOptionsSchema.optional(),
  source_data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Older form of `inputs`: source ID to an object of sample ID to value; names the samples"),
  samples: boundedRecord(z.string(), textList(200), 100)
    .optional()
    .describe(
      "With `inputs`: ID of a list to the names of its elements, in order, each once. Absent: Weft names samples after their files",
    ),
  sink_data: sinkDataSchema.optional(),
  dataset: datasetOfNewRunSchema
    .optional()
    .describe(
      "The samples of a query of a dataset. Each column fills the input of its name that `inputs` does not give. Weft records the query and its result with the run",
    ),
});
export type CreateRun = z.infer<typeof createRunSchema>;

export const NEWEST = "newest";

/** The body of POST /api/runs/{run_id}/retry. All fields are optional; an empty body repeats the run unchanged. */
export const retryRunSchema = namedStrictObject("RetryRun", {
  inputs: cwlObjectSchema.optional().describe("Replaces inputs of the run, each as a whole; null removes an input"),
  source_data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Older form of `inputs`, which names samples; replaces in the same way"),
  samples: textList(500, { maxItems: 100_000 })
    .optional()
    .describe("Only these samples of the run: Weft removes all others from the input lists"),
  options: runOptionsSchema
    .optional()
    .describe("Replaces options of the run one by one; does not repeat `refresh` of the run"),
  version: z
    .union([versionSchema, z.literal(NEWEST)])
    .optional()
    .describe(
      "A version in the catalog, or `newest`. Absent: the recorded document of the run, whatever the catalog has now",
    ),
  name: runNameSchema.optional().describe("Default: `Retry of` and the run name"),
  tags: tagsSchema.optional().describe("Absent: those of the run"),
});
export type RetryRun = z.infer<typeof retryRunSchema>;

export const processReferenceSchema = namedObject("ProcessReference", {
  id: z.string(),
  version: z.string().nullable(),
  digest: z.string(),
  url: z.string(),
  label: z.string().optional(),
});
export type ProcessReference = z.infer<typeof processReferenceSchema>;

export const progressSchema = namedObject("Progress", {
  jobs_total: z.int().min(0),
  jobs_total_is_final: z.boolean().describe("False while the size of a scatter is unknown"),
  jobs_done: z.int().min(0).describe("Number of finished jobs, without aborted ones"),
  jobs_cached: z.int().min(0).describe("Number of finished jobs that reused an earlier result"),
  fraction: z.number().min(0).max(1).nullable().describe("null while the total is not final"),
  eta: timeSchema.nullable().describe("Expected end at the current pace; `/forecast` also uses earlier runs"),
});

export const stepCountsSchema = namedObject("StepCounts", {
  step: z.string(),
  label: z.string().optional(),
  jobs_total: z.int().min(0),
  jobs_total_is_final: z.boolean(),
  jobs_cached: z.int().min(0).describe("Number of jobs that reused an earlier result"),
  job_counts: jobCountsSchema,
});
export type StepCounts = z.infer<typeof stepCountsSchema>;

export const abortSchema = namedObject("Abort", {
  requested_at: timeSchema,
  requested_by: z.string(),
  confirmed_at: timeSchema.nullable().describe("When no process of the run was left; null while unproven"),
  outstanding_jobs: z.array(jobIdSchema),
  jobs_ended: z.int().min(0).describe("Number of started jobs that the abort stopped"),
  jobs_not_started: z.int().min(0).describe("Number of jobs that never started"),
  processes_found: z.int().min(0).describe("Number of processes and containers of all jobs"),
  processes_killed: z.int().min(0).describe("Number that did not exit within the grace period"),
  evidence: killReportSchema.shape.evidence,
  jobs: z
    .array(z.object({ job_id: jobIdSchema, ...killReportSchema.shape }))
    .describe("How Weft stopped each job, at most the first 1,000"),
});
export type Abort = z.infer<typeof abortSchema>;

const relatedRunSchema = z.object({ run_id: runIdSchema, url: z.string(), name: z.string() });

/** The relation of a run to other runs and to the current catalog. */
export const relationsSchema = namedObject("RunRelations", {
  retry_of: relatedRunSchema.nullable(),
  retried_by: z.array(relatedRunSchema).describe("Newest first, at most 20"),
  newest: processReferenceSchema
    .nullable()
    .describe("The catalog's current document with this ID, if it differs from that of the run"),
});
export type RunRelations = z.infer<typeof relationsSchema>;

/** The facts about a run of another engine, from its Workflow Run Crate alone. */
export const foreignSchema = namedObject("ForeignRun", {
  engine: z.string().nullable().describe("Name and version of the engine; null if the crate does not say"),
  language: z.string().nullable().describe("Language of the workflow; null if the crate does not say"),
  is_cwl: z.boolean().describe("Whether the workflow is CWL; only CWL runs can be compared"),
  profiles: z.array(z.string()).describe("Profiles to which the crate claims to conform"),
  missing: z.array(z.string()).describe("Facts that the crate does not state, in sentences"),
});
export type ForeignRun = z.infer<typeof foreignSchema>;

/**
 * The origin of an imported run, and the user who imported it. The run can be viewed, compared and reproduced, but not
 * retried in place.
 */
export const importedSchema = namedObject("ImportedRun", {
  made_as: z.string().describe("ID of the run on its own server"),
  made_by: z.string(),
  made_at: timeSchema,
  imported_by: z.string(),
  imported_at: timeSchema,
  crate_sha256: z
    .string()
    .describe("SHA-256 of the crate's `ro-crate-metadata.json`, which identifies the whole crate"),
  foreign: foreignSchema
    .optional()
    .describe("Present if an engine other than Weft executed the run; it can be neither reproduced nor retried"),
});
export type ImportedRun = z.infer<typeof importedSchema>;

const summaryShape = {
  run_id: runIdSchema,
  url: z.string(),
  run: z.string().describe("URL of this run"),
  status: z.string().describe("URL of its status"),
  name: z.string(),
  network: processReferenceSchema.optional(),
  tool: processReferenceSchema.optional(),
  state: runStateSchema,
  outcome: outcomeSchema.nullable(),
  state_reason: stateReasonSchema.nullable(),
  created_at: timeSchema,
  start_time: timeSchema.nullable(),
  end_time: timeSchema.nullable(),
  duration_ms: durationMsSchema.nullable(),
  revision: z.int().min(0).describe("Grows with every change of the run"),
  owner: z.string(),
  tags: tagsSchema,
  archived: z.boolean().describe("Whether lists hide the run"),
  pinned: z.boolean().describe("Whether the list of runs shows the run on top"),
  progress: progressSchema,
  job_counts: jobCountsSchema,
  foreign: z
    .literal(true)
    .optional()
    .describe("For an imported run that another engine made: its process is not in the catalog, so it cannot run here"),
} as const;

export const runSummarySchema = namedObject("RunSummary", summaryShape);
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Large fields that the record of a run leaves out. */
export const omittedSchema = namedObject("OmittedValues", {
  inputs_bytes: bytesSchema.optional(),
  outputs_bytes: bytesSchema.optional(),
  placed_bytes: bytesSchema.optional(),
  url: z.string().describe("URL of the complete record"),
});
export type OmittedValues = z.infer<typeof omittedSchema>;

export const runSchema = namedObject("Run", {
  ...summaryShape,
  inputs: cwlObjectSchema.nullable().describe("null if they are large: see `omitted`"),
  options: runOptionsSchema,
  note: z.string().describe("Note about the run; empty if there is none"),
  samples: z.array(z.string()).describe("Samples that jobs work on, at most the first 1,000"),
  sample_names: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(
      "Only with `?view=full`: the ID of an input list to the names that the request gave its elements, in order. Absent without such names",
    ),
  step_counts: z.array(stepCountsSchema),
  outputs: cwlObjectSchema
    .nullable()
    .describe(
      "null until the run has finished, and for large outputs: see `omitted`. For a failed run, only the published outputs, possibly none: see `partial`",
    ),
  omitted: omittedSchema
    .optional()
    .describe(
      "Sizes of the parts of the record that are larger than 24 KiB, which are null here. Absent: the record is complete. `GET /api/runs/{run_id}/outputs` returns the outputs, `?view=full` everything",
    ),
  partial: z
    .boolean()
    .describe(
      "True if the run failed or was aborted after some of its jobs had succeeded. `GET /api/runs/{run_id}/outputs` returns what they produced, and lists what is missing",
    ),
  sink_data: sinkDataSchema.optional(),
  placed: z
    .array(placedFileSchema)
    .nullable()
    .optional()
    .describe(
      "Files copied to the output destinations; null until the run has finished, and if large (see `omitted`); absent without `sink_data`",
    ),
  abort: abortSchema.nullable(),
  relations: relationsSchema,
  reproduction: reproductionSchema.optional(),
  imported: importedSchema.optional().describe("For a run that was imported from another server"),
  wes: wesRequestSchema.optional().describe("For a run that a client of GA4GH WES started: its request"),
  draft: draftOfRunSchema.optional().describe("For a run of a draft: which one. Its version is null"),
  engine: z
    .object({
      version: z.string(),
      platform: z
        .string()
        .nullable()
        .describe("System and processor: `linux-x64`; results can differ between processors"),
    })
    .meta({ id: "RunEngine", description: "The Weft that executed the run; absent in old logs" })
    .optional(),
  storage: storageSchema.nullable().describe("null until Weft has measured it, after the run"),
  pruned: z.array(prunedPartSchema).describe("Parts removed from the disk, and by whom"),
  links: z.record(z.string(), z.string()),
});
export type Run = z.infer<typeof runSchema>;

export const missingOutputSchema = namedObject("MissingOutput", {
  output: z.string(),
  step: z.string().describe("The step that did not produce the value"),
  index: z.array(z.int()).describe("Positions in the scattered lists, the outermost first"),
  sample_id: z.string().nullable(),
  job_id: jobIdSchema.nullable().describe("The job that caused it, if known"),
  state: jobStateSchema.nullable().describe("State of that job; null if none started"),
});
export type MissingOutput = z.infer<typeof missingOutputSchema>;

export const runOutputsSchema = namedObject("RunOutputs", {
  run_id: runIdSchema,
  outputs: cwlObjectSchema.nullable().describe("null until the run has finished"),
  partial: z
    .boolean()
    .describe(
      "True if the run failed or was aborted: values are null where a job failed or did not run, also in lists, and not final",
    ),
  missing: z.array(missingOutputSchema).describe("At most the first 1,000"),
  missing_total: z.int().min(0),
  truncated: z
    .boolean()
    .optional()
    .describe("True if Weft evaluated only the first 10,000 jobs, or as much as an output object may hold"),
});
export type RunOutputs = z.infer<typeof runOutputsSchema>;

export const runListSchema = namedObject("RunList", {
  runs: z.array(z.union([runSummarySchema, z.string()])),
  ...pageShape,
});
export type RunList = z.infer<typeof runListSchema>;

export const runStatusSchema = namedObject("RunStatus", {
  run_id: runIdSchema,
  state: runStateSchema,
  outcome: outcomeSchema.nullable(),
  state_reason: stateReasonSchema.nullable(),
  job_counts: jobCountsSchema,
  progress: progressSchema,
  revision: z.int().min(0),
  updated_at: timeSchema,
});
export type RunStatus = z.infer<typeof runStatusSchema>;
