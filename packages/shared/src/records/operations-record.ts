import { z } from "zod";
import { BACKEND_KINDS } from "./backend-kind.ts";
import { bytesSchema, durationMsSchema, jobIdSchema, pageShape, runIdSchema, timeSchema } from "./primitives.ts";

/** A run with waiting or running jobs on this server. */
export const queuedRunSchema = z
  .object({
    run_id: runIdSchema,
    url: z.string(),
    name: z.string(),
    owner: z.string(),
    priority: z.int().meta({ description: "Jobs of the run with the higher number start first" }),
    paused: z.boolean().meta({ description: "No job starts until the run is resumed" }),
    jobs_running: z.int().min(0),
    jobs_waiting: z.int().min(0),
    cores_held: z.number().min(0).meta({ description: "Cores that its running jobs hold on this machine" }),
    ram_held_bytes: bytesSchema,
    waiting_since: timeSchema.nullable().meta({ description: "When its oldest waiting job was queued" }),
    reasons: z
      .array(
        z.object({
          waiting_for: z.string().meta({ description: "As in `jobs_waiting_for` of the server" }),
          jobs: z.int().min(1),
          job_id: jobIdSchema.meta({ description: "The next job" }),
          message: z.string().meta({ description: "Why that job waits" }),
        }),
      )
      .meta({ description: "Waiting jobs, grouped by similar requests; at most 20 groups" }),
  })
  .meta({ id: "QueuedRun" });
export type QueuedRun = z.infer<typeof queuedRunSchema>;

export const queueSchema = z
  .object({
    runs: z.array(queuedRunSchema),
    jobs_hidden: z.int().min(0).meta({ description: "Waiting jobs of runs that you may not see" }),
    ...pageShape,
  })
  .meta({ id: "Queue" });
export type Queue = z.infer<typeof queueSchema>;

export const loadSchema = z
  .object({
    from: timeSchema,
    interval_ms: durationMsSchema,
    cores: z.number(),
    ram_bytes: bytesSchema,
    truncated: z.boolean().meta({ description: "True if only the latest 50,000 jobs count" }),
    jobs: z
      .array(
        z.object({
          running: z.number().meta({ description: "Running jobs" }),
          waiting: z.number().meta({ description: "Waiting jobs" }),
          cores: z.number(),
          ram_bytes: z.number(),
        }),
      )
      .meta({ description: "Averages per interval: jobs, and resources that running jobs requested" }),
    host: z
      .array(z.object({ cores: z.number(), ram_bytes: z.number() }).nullable())
      .meta({ description: "Use of the whole machine per interval; null before this server started" }),
  })
  .meta({ id: "ServerLoad" });
export type ServerLoad = z.infer<typeof loadSchema>;

export const backendListSchema = z
  .object({
    backends: z
      .array(
        z.object({
          kind: z.enum(BACKEND_KINDS),
          is_default: z.boolean().meta({ description: "Gets the jobs that match no rule" }),
          gets_jobs: z.boolean().meta({ description: "Whether it accepts new jobs" }),
          places: z.int().min(0).meta({ description: "Number of slots; all remote backends share theirs" }),
          jobs_running: z.int().min(0),
          jobs_starting: z.int().min(0).meta({ description: "Jobs that are being prepared, or wait at the backend" }),
        }),
      )
      .meta({ description: "Backends that accept or still have jobs" }),
  })
  .meta({ id: "BackendList" });
export type BackendList = z.infer<typeof backendListSchema>;

const usageShape = {
  outputs_bytes: bytesSchema,
  intermediate_bytes: bytesSchema,
  logs_bytes: bytesSchema,
  total_bytes: bytesSchema,
} as const;

export const processUsageSchema = z
  .object({ kind: z.enum(["network", "tool"]), id: z.string(), runs: z.int().min(1), ...usageShape })
  .meta({ id: "ProcessDiskUsage" });

export const runUsageSchema = z
  .object({
    run_id: runIdSchema,
    url: z.string(),
    name: z.string(),
    owner: z.string(),
    kind: z.enum(["network", "tool"]),
    id: z.string(),
    ended_at: timeSchema.nullable(),
    ...usageShape,
    in_use: z.boolean().meta({ description: "An unfinished run uses its files, so Weft keeps them" }),
  })
  .meta({ id: "RunDiskUsage" });

export const diskUsageSchema = z
  .object({
    processes: z.array(processUsageSchema).meta({ description: "The largest first, at most 500" }),
    runs: z.array(runUsageSchema).meta({ description: "A page of measured runs, the largest first" }),
    ...pageShape,
  })
  .meta({ id: "DiskUsage" });
export type DiskUsage = z.infer<typeof diskUsageSchema>;
