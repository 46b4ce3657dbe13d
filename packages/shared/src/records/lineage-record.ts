import { z } from "zod";
import { contractChangeSchema } from "./contract-change.ts";
import { LARGEST_COUNT } from "./largest-count.ts";
import { bytesSchema, jobIdSchema, pageShape, runIdSchema, timeSchema } from "./primitives.ts";
import { jobCountsSchema, runStateSchema } from "./state.ts";

const toolOfJobSchema = z
  .object({ id: z.string(), version: z.string().nullable() })
  .nullable()
  .meta({ description: "Tool of the catalog; null for a tool in a network's document" });

/** The job that made the content of a file. */
export const fileOriginSchema = z
  .object({
    by: z.enum(["job", "content"]).meta({
      description: "`job`: this job wrote the file; `content`: it wrote the same content before, in another run",
    }),
    run_id: runIdSchema,
    run_url: z.string(),
    run_name: z.string().meta({ description: "Run name", examples: ["Imaging cohort, 6 images, 23 Nov 06:05"] }),
    job_id: jobIdSchema.meta({ description: "The job that ran; if a later run reused its result, not the later job" }),
    step: z.string().meta({ description: "Path of its step; empty for the run of a single tool" }),
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
      .meta({
        description: `Number of files that it read, without the tool's own; ${LARGEST_COUNT}: that many or more`,
      }),
  })
  .meta({ id: "FileOrigin" });
export type FileOrigin = z.infer<typeof fileOriginSchema>;

/**
 * One occurrence of a file: read or written by a run or by one of its jobs. Equal contents are equal checksums;
 * occurrences are never merged.
 */
export const fileOccurrenceSchema = z
  .object({
    run_id: z.string(),
    run_url: z.string(),
    run_name: z.string().meta({ description: "Run name", examples: ["Imaging cohort, 6 images, 23 Nov 06:05"] }),
    process: z.string().meta({ description: "Network or tool of the run" }),
    job_id: z.string().nullable().meta({ description: "null: an input or output of the run itself" }),
    step: z.string().nullable(),
    sample_id: z.string().nullable(),
    tool: toolOfJobSchema.meta({ description: "Tool of the job that read or wrote the file; null for the run itself" }),
    direction: z.enum(["input", "output"]),
    class: z.enum(["File", "Directory"]),
    port: z.string(),
    place: z
      .string()
      .meta({ description: "Position in the port's value: `[2]`, `[0].secondaryFiles[1]`; empty: itself" }),
    name: z.string(),
    checksum: z.string().nullable().meta({ description: "`sha1$…`" }),
    sha256: z.string().nullable().meta({ description: "Hexadecimal digits" }),
    size: bytesSchema.nullable(),
    time: timeSchema,
    source_job_id: z
      .string()
      .nullable()
      .meta({ description: "For inputs: the job of this run that wrote the file; null for external files" }),
    url: z.string().nullable().meta({ description: "URL of the content; null if it is gone or not on this server" }),
    origin: fileOriginSchema
      .nullable()
      .meta({ description: "The job that made it; null if none, or if the caller may not see it" }),
    read_by_runs: z
      .int()
      .min(0)
      .max(LARGEST_COUNT)
      .meta({
        description: `Number of other runs that read this content later; ${LARGEST_COUNT}: that many or more. 0 for empty files`,
      }),
  })
  .meta({ id: "FileOccurrence" });
export type FileOccurrence = z.infer<typeof fileOccurrenceSchema>;

export const fileOccurrenceListSchema = z
  .object({ files: z.array(fileOccurrenceSchema), ...pageShape })
  .meta({ id: "FileOccurrenceList" });
export type FileOccurrenceList = z.infer<typeof fileOccurrenceListSchema>;

export const lineageStepSchema = z
  .object({
    step: z.string().meta({ description: "Path of the step: `outer/inner`; empty for the run of a single tool" }),
    label: z.string().nullable(),
    tool: z
      .string()
      .nullable()
      .meta({ description: "Tool of the catalog and its version", examples: ["smooth 1.0.0"] }),
    job_counts: jobCountsSchema,
    job_id: jobIdSchema.nullable().meta({ description: "The job, if the step has exactly one" }),
  })
  .meta({ id: "LineageStep" });
export type LineageStep = z.infer<typeof lineageStepSchema>;

/** The files of one port, for all samples together. */
export const lineageFilesSchema = z
  .object({
    step: z.string().nullable().meta({ description: "The step that wrote them; null: inputs of the run" }),
    port: z.string().meta({ description: "Output of the step, or input of the run", examples: ["smoothed"] }),
    files: z.int().min(1).meta({ description: "Number of different files" }),
    name: z.string().meta({ description: "Name of one of them", examples: ["sub-01_smooth.nii"] }),
  })
  .meta({ id: "LineageFiles" });
export type LineageFiles = z.infer<typeof lineageFilesSchema>;

/** Files that pass from one step to another; null means the inputs or the outputs of the run. */
export const lineageFlowSchema = z
  .object({
    from: z.string().nullable().meta({ description: "Step that wrote the files; null for files from outside" }),
    port: z.string().nullable().meta({
      description:
        "Output of `from`, or input of the run; null for files that no input of the run holds, such as a tool's own",
    }),
    to: z.string().nullable().meta({ description: "Step that reads them; null for outputs of the run" }),
    output: z.string().nullable().meta({ description: "Output of the run, if `to` is null" }),
    files: z.int().min(0).meta({ description: "Number of different files" }),
  })
  .meta({ id: "LineageFlow" });
export type LineageFlow = z.infer<typeof lineageFlowSchema>;

/** Whether a run was given the files that another run wrote, or only files with the same content. */
const linkBySchema = z.enum(["location", "content"]);

export const linkedRunSchema = z
  .object({
    run_id: z.string(),
    run_url: z.string(),
    name: z.string(),
    process: z.string(),
    state: runStateSchema,
    created_at: timeSchema,
    distance: z.int().meta({ description: "Distance in runs: negative before, positive after the requested run" }),
    by: linkBySchema.meta({
      description:
        "`location`: files passed from run to run between it and the requested run; `content`: the two only have equal contents, and neither need come from the other. Its own lineage is then not included",
    }),
    is_cut: z.boolean().meta({ description: "True if the lineage continues beyond this node but is not included" }),
  })
  .meta({ id: "LinkedRun" });
export type LinkedRun = z.infer<typeof linkedRunSchema>;

export const runLinkSchema = z
  .object({
    from: z.string().meta({ description: "ID of the run that wrote" }),
    to: z.string().meta({ description: "ID of the run that read" }),
    by: linkBySchema.meta({
      description: "`location`: it read a file that the other run wrote; `content`: only files with the same content",
    }),
    files: z.int().min(1),
    name: z.string().meta({ description: "Name of one of the files" }),
  })
  .meta({ id: "RunLink" });

export const runLineageSchema = z
  .object({
    run_id: z.string(),
    steps: z.array(lineageStepSchema),
    files: z.array(lineageFilesSchema),
    flows: z.array(lineageFlowSchema),
    runs: z
      .array(linkedRunSchema)
      .meta({ description: "At most 100 before and 100 after the run; `is_cut` marks where more follow" }),
    links: z.array(runLinkSchema),
  })
  .meta({ id: "RunLineage" });
export type RunLineage = z.infer<typeof runLineageSchema>;

export const serverInfoSchema = z
  .object({
    version: z.string(),
    started_at: timeSchema,
    cores: z.number(),
    cores_busy: z.number(),
    ram_bytes: bytesSchema,
    ram_busy_bytes: bytesSchema,
    job_slots: z.int(),
    jobs_running: z.int().min(0),
    jobs_waiting: z.int().min(0),
    jobs_waiting_for: z.record(z.string(), z.int().min(0)).meta({
      description:
        "Number of waiting jobs by reason: cores, memory, slot, kept_room (a reservation), turn, run_bound (run's limit), paused",
    }),
    disk_free_bytes: bytesSchema,
    runs_storage_bytes: z
      .object({ outputs: bytesSchema, intermediate: bytesSchema, logs: bytesSchema })
      .meta({ description: "Disk use of finished runs, as last measured, in bytes" }),
    sinks: z.array(z.string()).meta({ description: "Names of the output destinations (`sink_data`)" }),
    run_counts: z.record(z.string(), z.int().min(0)).meta({ description: "Number of runs in each state" }),
    ended_last_24h: z.object({ success: z.int(), failure: z.int(), canceled: z.int(), partial: z.int() }),
    last_seq: z.int().min(0),
    draining: z.boolean(),
    storage: z
      .enum(["ok", "full", "locked", "read-only", "failed"])
      .meta({ description: "Whether Weft can write the log; unless it is `ok`, no runs and jobs start" }),
    changes: z
      .array(contractChangeSchema)
      .meta({ description: "Changes after `client_version`, oldest first; empty without that parameter" }),
  })
  .meta({ id: "ServerInfo" });
export type ServerInfo = z.infer<typeof serverInfoSchema>;
/** The part of ServerInfo that the engine provides. */
export type ServerStatus = Omit<ServerInfo, "changes">;
