import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { BACKEND_KINDS } from "./backend-kind.ts";
import { bytesSchema, durationMsSchema, jobIdSchema, pageShape, runIdSchema, timeSchema } from "./primitives.ts";

/** A run with waiting or running jobs on this server. */
export const queuedRunSchema = namedObject("QueuedRun", {
  run_id: runIdSchema,
  url: z.string(),
  name: z.string(),
  owner: z.string(),
  priority: z.int().describe("Jobs of the run with the higher number start first"),
  paused: z.boolean().describe("No job starts until the run is resumed"),
  jobs_running: z.int().min(0),
  jobs_waiting: z.int().min(0),
  cores_held: z.number().min(0).describe("Cores that its running jobs hold on this machine"),
  ram_held_bytes: bytesSchema,
  waiting_since: timeSchema.nullable().describe("When its oldest waiting job was queued"),
  reasons: z
    .array(
      z.object({
        waiting_for: z.string().describe("As in `jobs_waiting_for` of the server"),
        jobs: z.int().min(1),
        job_id: jobIdSchema.describe("The next job"),
        message: z.string().describe("Why that job waits"),
      }),
    )
    .describe("Waiting jobs, grouped by similar requests; at most 20 groups"),
});
export type QueuedRun = z.infer<typeof queuedRunSchema>;

export const queueSchema = namedObject("Queue", {
  runs: z.array(queuedRunSchema),
  jobs_hidden: z.int().min(0).describe("Waiting jobs of runs that you may not see"),
  ...pageShape,
});
export type Queue = z.infer<typeof queueSchema>;

export const loadSchema = namedObject("ServerLoad", {
  from: timeSchema,
  interval_ms: durationMsSchema,
  cores: z.number(),
  ram_bytes: bytesSchema,
  truncated: z.boolean().describe("True if only the latest 50,000 jobs count"),
  jobs: z
    .array(
      z.object({
        running: z.number().describe("Running jobs"),
        waiting: z.number().describe("Waiting jobs"),
        cores: z.number(),
        ram_bytes: z.number(),
      }),
    )
    .describe("Averages per interval: jobs, and resources that running jobs requested"),
  host: z
    .array(z.object({ cores: z.number(), ram_bytes: z.number() }).nullable())
    .describe("Use of the whole machine per interval; null before this server started"),
});
export type ServerLoad = z.infer<typeof loadSchema>;

export const backendListSchema = namedObject("BackendList", {
  backends: z
    .array(
      z.object({
        kind: z.enum(BACKEND_KINDS),
        is_default: z.boolean().describe("Gets the jobs that match no rule"),
        gets_jobs: z.boolean().describe("Whether it accepts new jobs"),
        places: z.int().min(0).describe("Number of slots; all remote backends share theirs"),
        jobs_running: z.int().min(0),
        jobs_starting: z.int().min(0).describe("Jobs that are being prepared, or wait at the backend"),
      }),
    )
    .describe("Backends that accept or still have jobs"),
});
export type BackendList = z.infer<typeof backendListSchema>;

const usageShape = {
  outputs_bytes: bytesSchema,
  intermediate_bytes: bytesSchema,
  logs_bytes: bytesSchema,
  total_bytes: bytesSchema,
} as const;

export const processUsageSchema = namedObject("ProcessDiskUsage", {
  kind: z.enum(["network", "tool"]),
  id: z.string(),
  runs: z.int().min(1),
  ...usageShape,
});

export const runUsageSchema = namedObject("RunDiskUsage", {
  run_id: runIdSchema,
  url: z.string(),
  name: z.string(),
  owner: z.string(),
  kind: z.enum(["network", "tool"]),
  id: z.string(),
  ended_at: timeSchema.nullable(),
  ...usageShape,
  in_use: z.boolean().describe("An unfinished run uses its files, so Weft keeps them"),
});

export const diskUsageSchema = namedObject("DiskUsage", {
  processes: z.array(processUsageSchema).describe("The largest first, at most 500"),
  runs: z.array(runUsageSchema).describe("A page of measured runs, the largest first"),
  ...pageShape,
});
export type DiskUsage = z.infer<typeof diskUsageSchema>;
