import { z } from "zod";
import { bytesSchema, pageShape, timeSchema } from "./primitives.ts";

/**
 * One occurrence of a file: read or written by a run or by one of its jobs. Equal contents are equal checksums;
 * occurrences are never merged.
 */
export const fileOccurrenceSchema = z
  .object({
    run_id: z.string(),
    run_url: z.string(),
    process: z.string().meta({ description: "Network or tool of the run" }),
    job_id: z.string().nullable().meta({ description: "null: an input or output of the run itself" }),
    step: z.string().nullable(),
    sample_id: z.string().nullable(),
    direction: z.enum(["input", "output"]),
    port: z.string(),
    name: z.string(),
    checksum: z.string().nullable(),
    size: bytesSchema.nullable(),
    time: timeSchema,
    source_job_id: z
      .string()
      .nullable()
      .meta({ description: "Of inputs: the job of this run that wrote the file, null where it came from outside" }),
    url: z
      .string()
      .nullable()
      .meta({ description: "Where the content can be read, null where it is gone or not ours" }),
  })
  .meta({ id: "FileOccurrence" });
export type FileOccurrence = z.infer<typeof fileOccurrenceSchema>;

export const fileOccurrenceListSchema = z
  .object({ files: z.array(fileOccurrenceSchema), ...pageShape })
  .meta({ id: "FileOccurrenceList" });

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
    disk_free_bytes: bytesSchema,
    run_counts: z.record(z.string(), z.int().min(0)).meta({ description: "Number of runs in each state" }),
    ended_last_24h: z.object({ success: z.int(), failure: z.int(), canceled: z.int(), partial: z.int() }),
    last_seq: z.int().min(0),
    draining: z.boolean(),
    storage: z
      .enum(["ok", "full", "locked", "read-only", "failed"])
      .meta({ description: "Whether the log can be written; what is not `ok` keeps new runs and jobs from starting" }),
  })
  .meta({ id: "ServerInfo" });
export type ServerInfo = z.infer<typeof serverInfoSchema>;
