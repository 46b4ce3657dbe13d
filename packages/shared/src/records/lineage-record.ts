import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { contractChangeSchema } from "./contract-change.ts";
import { LARGEST_COUNT } from "./largest-count.ts";
import { bytesSchema, jobIdSchema, pageShape, runIdSchema, timeSchema } from "./primitives.ts";
import { jobCountsSchema, runStateSchema } from "./state.ts";

const toolOfJobSchema = z
  .object({ id: z.string(), version: z.string().nullable() })
  .nullable()
  .describe("Tool of the catalog; null for a tool in a network's document");

/** The job that made the content of a file. */
export const fileOriginSchema = namedObject("FileOrigin", {
  by: z
    .enum(["job", "content"])
    .describe("`job`: this job wrote the file; `content`: it wrote the same content before, in another run"),
  run_id: runIdSchema,
  run_url: z.string(),
  run_name: z.string().meta({ description: "Run name", examples: ["Imaging cohort, 6 images, 23 Nov 06:05"] }),
  job_id: jobIdSchema.describe("The job that ran; if a later run reused its result, not the later job"),
  step: z.string().describe("Path of its step; empty for the run of a single tool"),
  sample_id: z.string().nullable(),
  tool: toolOfJobSchema,
  from: z.array(z.string()).meta({
    description: "Names of the first three files that it read, without the tool's own",
    examples: [["sub-01.nii"]],
  }),
  from_count: z
    .int()
    .min(0)
    .max(LARGEST_COUNT)
    .describe(`Number of files that it read, without the tool's own; ${LARGEST_COUNT}: that many or more`),
});
export type FileOrigin = z.infer<typeof fileOriginSchema>;

/**
 * One occurrence of a file: read or written by a run or by one of its jobs. Equal contents are equal checksums;
 * occurrences are never merged.
 */
export const fileOccurrenceSchema = namedObject("FileOccurrence", {
  run_id: z.string(),
  run_url: z.string(),
  run_name: z.string().meta({ description: "Run name", examples: ["Imaging cohort, 6 images, 23 Nov 06:05"] }),
  process: z.string().describe("Network or tool of the run"),
  job_id: z.string().nullable().describe("null: an input or output of the run itself"),
  step: z.string().nullable(),
  sample_id: z.string().nullable(),
  tool: toolOfJobSchema.describe("Tool of the job that read or wrote the file; null for the run itself"),
  direction: z.enum(["input", "output"]),
  class: z.enum(["File", "Directory"]),
  port: z.string(),
  place: z.string().describe("Position in the port's value: `[2]`, `[0].secondaryFiles[1]`; empty: itself"),
  name: z.string(),
  checksum: z.string().nullable().describe("`sha1$…`"),
  sha256: z.string().nullable().describe("Hexadecimal digits"),
  size: bytesSchema.nullable(),
  time: timeSchema,
  source_job_id: z
    .string()
    .nullable()
    .describe("For inputs: the job of this run that wrote the file; null for external files"),
  url: z.string().nullable().describe("URL of the content; null if it is gone or not on this server"),
  origin: fileOriginSchema.nullable().describe("The job that made it; null if none, or if the caller may not see it"),
  read_by_runs: z
    .int()
    .min(0)
    .max(LARGEST_COUNT)
    .describe(
      `Number of other runs that read this content later; ${LARGEST_COUNT}: that many or more. 0 for empty files`,
    ),
});
export type FileOccurrence = z.infer<typeof fileOccurrenceSchema>;

export const fileOccurrenceListSchema = namedObject("FileOccurrenceList", {
  files: z.array(fileOccurrenceSchema),
  ...pageShape,
});
export type FileOccurrenceList = z.infer<typeof fileOccurrenceListSchema>;

export const lineageStepSchema = namedObject("LineageStep", {
  step: z.string().describe("Path of the step: `outer/inner`; empty for the run of a single tool"),
  label: z.string().nullable(),
  tool: z
    .string()
    .nullable()
    .meta({ description: "Tool of the catalog and its version", examples: ["smooth 1.0.0"] }),
  job_counts: jobCountsSchema,
  job_id: jobIdSchema.nullable().describe("The job, if the step has exactly one"),
});
export type LineageStep = z.infer<typeof lineageStepSchema>;

/** The files of one port, for all samples together. */
export const lineageFilesSchema = namedObject("LineageFiles", {
  step: z.string().nullable().describe("The step that wrote them; null: inputs of the run"),
  port: z.string().meta({ description: "Output of the step, or input of the run", examples: ["smoothed"] }),
  files: z.int().min(1).describe("Number of different files"),
  name: z.string().meta({ description: "Name of one of them", examples: ["sub-01_smooth.nii"] }),
});
export type LineageFiles = z.infer<typeof lineageFilesSchema>;

/** Files that pass from one step to another; null means the inputs or the outputs of the run. */
export const lineageFlowSchema = namedObject("LineageFlow", {
  from: z.string().nullable().describe("Step that wrote the files; null for files from outside"),
  port: z
    .string()
    .nullable()
    .describe(
      "Output of `from`, or input of the run; null for files that no input of the run holds, such as a tool's own",
    ),
  to: z.string().nullable().describe("Step that reads them; null for outputs of the run"),
  output: z.string().nullable().describe("Output of the run, if `to` is null"),
  files: z.int().min(0).describe("Number of different files"),
});
export type LineageFlow = z.infer<typeof lineageFlowSchema>;

/** Whether a run was given the files that another run wrote, or only files with the same content. */
const linkBySchema = z.enum(["location", "content"]);

export const linkedRunSchema = namedObject("LinkedRun", {
  run_id: z.string(),
  run_url: z.string(),
  name: z.string(),
  process: z.string(),
  state: runStateSchema,
  created_at: timeSchema,
  distance: z.int().describe("Distance in runs: negative before, positive after the requested run"),
  by: linkBySchema.describe(
    "`location`: files passed from run to run between it and the requested run; `content`: the two only have equal contents, and neither need come from the other. Its own lineage is then not included",
  ),
  is_cut: z.boolean().describe("True if the lineage continues beyond this node but is not included"),
});
export type LinkedRun = z.infer<typeof linkedRunSchema>;

export const runLinkSchema = namedObject("RunLink", {
  from: z.string().describe("ID of the run that wrote"),
  to: z.string().describe("ID of the run that read"),
  by: linkBySchema.describe(
    "`location`: it read a file that the other run wrote; `content`: only files with the same content",
  ),
  files: z.int().min(1),
  name: z.string().describe("Name of one of the files"),
});

export const runLineageSchema = namedObject("RunLineage", {
  run_id: z.string(),
  steps: z.array(lineageStepSchema),
  files: z.array(lineageFilesSchema),
  flows: z.array(lineageFlowSchema),
  runs: z.array(linkedRunSchema).describe("At most 100 before and 100 after the run; `is_cut` marks where more follow"),
  links: z.array(runLinkSchema),
});
export type RunLineage = z.infer<typeof runLineageSchema>;

export const serverInfoSchema = namedObject("ServerInfo", {
  version: z.string(),
  started_at: timeSchema,
  cores: z.number(),
  cores_busy: z.number(),
  ram_bytes: bytesSchema,
  ram_busy_bytes: bytesSchema,
  job_slots: z.int(),
  jobs_running: z.int().min(0),
  jobs_waiting: z.int().min(0),
  jobs_waiting_for: z
    .record(z.string(), z.int().min(0))
    .describe(
      "Number of waiting jobs by reason: cores, memory, slot, kept_room (a reservation), turn, run_bound (run's limit), paused",
    ),
  disk_bytes: bytesSchema.describe("Size of the disk of the state folder, in bytes"),
  disk_free_bytes: bytesSchema,
  runs_storage_bytes: z
    .object({ outputs: bytesSchema, intermediate: bytesSchema, logs: bytesSchema })
    .describe("Disk use of finished runs, as last measured, in bytes"),
  sinks: z.array(z.string()).describe("Names of the output destinations (`sink_data`)"),
  run_counts: z.record(z.string(), z.int().min(0)).describe("Number of runs in each state"),
  ended_last_24h: z.object({ success: z.int(), failure: z.int(), canceled: z.int(), partial: z.int() }),
  last_seq: z.int().min(0),
  draining: z.boolean(),
  storage: z
    .enum(["ok", "full", "locked", "read-only", "failed"])
    .describe("Whether Weft can write the log; unless it is `ok`, no runs and jobs start"),
  changes: z
    .array(contractChangeSchema)
    .describe("Changes after `client_version`, oldest first; empty without that parameter"),
});
export type ServerInfo = z.infer<typeof serverInfoSchema>;
/** The part of ServerInfo that the engine provides. */
export type ServerStatus = Omit<ServerInfo, "changes">;
