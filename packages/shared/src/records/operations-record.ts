import { z } from "zod";
import { BACKEND_KINDS } from "./backend-kind.ts";
import { bytesSchema, durationMsSchema, jobIdSchema, pageShape, runIdSchema, timeSchema } from "./primitives.ts";

/** A run that has jobs here that wait or run. */
export const queuedRunSchema = z
  .object({
    run_id: runIdSchema,
    url: z.string(),
    name: z.string(),
    owner: z.string(),
    priority: z.int().meta({ description: "Higher goes first" }),
    paused: z.boolean().meta({ description: "No job of it starts until it is resumed" }),
    jobs_running: z.int().min(0),
    jobs_waiting: z.int().min(0),
    cores_held: z.number().min(0).meta({ description: "Cores that its running jobs hold on this machine" }),
    ram_held_bytes: bytesSchema,
    waiting_since: timeSchema.nullable().meta({ description: "Since when its oldest waiting job has been queued" }),
    reasons: z
      .array(
        z.object({
          waiting_for: z.string().meta({ description: "As in `jobs_waiting_for` of the server" }),
          jobs: z.int().min(1),
          job_id: jobIdSchema.meta({ description: "The next of them" }),
          message: z.string().meta({ description: "Why that job waits" }),
        }),
      )
      .meta({ description: "Jobs that ask for about the same wait for the same; at most 20 groups" }),
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
    truncated: z.boolean().meta({ description: "True where only the latest 50,000 jobs were counted" }),
    jobs: z
      .array(
        z.object({
          running: z.number().meta({ description: "Jobs that ran" }),
          waiting: z.number().meta({ description: "Jobs that waited" }),
          cores: z.number(),
          ram_bytes: z.number(),
        }),
      )
      .meta({ description: "Averages over each interval: jobs, and what running ones had asked for" }),
    host: z
      .array(z.object({ cores: z.number(), ram_bytes: z.number() }).nullable())
      .meta({ description: "What the whole machine used in each interval; null before this server started" }),
  })
  .meta({ id: "ServerLoad" });
export type ServerLoad = z.infer<typeof loadSchema>;

export const backendListSchema = z
  .object({
    backends: z
      .array(
        z.object({
          kind: z.enum(BACKEND_KINDS),
          is_default: z.boolean().meta({ description: "Jobs that no rule names run there" }),
          gets_jobs: z.boolean().meta({ description: "Whether new jobs may be sent there" }),
          places: z.int().min(0).meta({ description: "Jobs at once. All remote backends share their places" }),
          jobs_running: z.int().min(0),
          jobs_starting: z.int().min(0).meta({ description: "Being prepared, or waiting there" }),
        }),
      )
      .meta({ description: "Those that may get jobs, or still have some" }),
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
    in_use: z.boolean().meta({ description: "An open run relies on its files, which are kept until that one ends" }),
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
