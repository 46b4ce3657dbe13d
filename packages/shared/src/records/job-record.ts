import { z } from "zod";
import { namedObject } from "./named-object.ts";
import {
  bytesSchema,
  cwlObjectSchema,
  durationMsSchema,
  jobIdSchema,
  pageShape,
  runIdSchema,
  timeSchema,
} from "./primitives.ts";
import { jobSandboxSchema } from "./sandbox-record.ts";
import { killReportSchema } from "./kill-record.ts";
import { jobStateSchema, stateReasonSchema } from "./state.ts";

/** The command that starts a job, complete enough to type it into a shell. */
export const commandSchema = namedObject("Command", {
  argv: z.array(z.string()),
  stdin: z.string().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  workdir: z.string(),
  env: z.record(z.string(), z.string()),
});
export type Command = z.infer<typeof commandSchema>;

export const resourcesRequestedSchema = namedObject("ResourcesRequested", {
  cores: z.number(),
  ram_bytes: bytesSchema,
});

export const MEMORY_SOURCES = ["sampled", "cgroup", "slurm"] as const;

/**
 * Resources that a job used; null if they were not measured, as for jobs in containers and for the memory of jobs that
 * end at once.
 */
export const resourcesUsedSchema = namedObject("ResourcesUsed", {
  cpu_ms: durationMsSchema.nullable(),
  max_rss_bytes: bytesSchema.nullable(),
  memory_source: z
    .enum(MEMORY_SOURCES)
    .nullable()
    .describe(
      "`sampled`: highest sample, the true peak may be higher; `cgroup`: highest memory that the kernel charged to the job, with cached files; `slurm`: from Slurm's accounting",
    ),
  io_read_bytes: bytesSchema.nullable().describe("Bytes read through system calls, from disks, caches and pipes"),
  io_write_bytes: bytesSchema.nullable().describe("Bytes written, likewise"),
});
export type ResourcesUsed = z.infer<typeof resourcesUsedSchema>;

export const jobTimingSchema = namedObject("JobTiming", {
  queued_at: timeSchema,
  started_at: timeSchema.nullable(),
  ended_at: timeSchema.nullable(),
  queued_ms: durationMsSchema.nullable(),
  running_ms: durationMsSchema.nullable(),
});

export const JOB_PHASES = ["waiting", "staging", "prepared", "running", "collecting", "ended"] as const;

/** The end of one attempt of a job; for the current attempt, the facts that are known so far. */
export const attemptSchema = namedObject("JobAttempt", {
  attempt: z.int().min(1),
  state: jobStateSchema,
  state_reason: stateReasonSchema.nullable(),
  exit_code: z.int().nullable(),
  signal: z.int().nullable(),
  started_at: timeSchema.nullable(),
  ended_at: timeSchema.nullable(),
  ram_bytes: bytesSchema.nullable().describe("Requested memory, in bytes"),
  used: resourcesUsedSchema,
  kill: killReportSchema.optional(),
});
export type JobAttempt = z.infer<typeof attemptSchema>;

export const CACHE_DECISIONS = ["hit", "miss", "off"] as const;
export const CACHE_COMPONENTS = [
  "tool",
  "requirement",
  "container",
  "resources",
  "environment",
  "file",
  "input",
  "output",
] as const;

/** One difference between a job and an earlier one, whose result could therefore not be reused. */
export const cacheDifferenceSchema = namedObject("CacheDifference", {
  component: z.enum(CACHE_COMPONENTS),
  name: z.string().optional().describe("Name of the input, output, requirement, variable or file"),
  message: z.string().describe("For people: `input reads: sub-01.nii.gz changed`"),
});
export type CacheDifference = z.infer<typeof cacheDifferenceSchema>;

const cacheShape = {
  reason: z.string().describe("One sentence for people"),
  diff: z.array(cacheDifferenceSchema).describe("For a cache miss: differences from the most similar job"),
  job: z
    .object({ run_id: runIdSchema, run_name: z.string(), job_id: jobIdSchema, url: z.string() })
    .optional()
    .describe("For a cache hit, the job whose result was reused; for a miss, the most similar job"),
} as const;

/** Says whether a job reused an earlier result, and why. */
export const jobCacheSchema = namedObject("JobCache", {
  decision: z
    .enum(CACHE_DECISIONS)
    .describe("`hit`: Weft reused an earlier result; `miss`: there was none; `off`: Weft did not look for one"),
  ...cacheShape,
  not_kept: z.string().optional().describe("Why no later job can reuse this result"),
});
export type JobCache = z.infer<typeof jobCacheSchema>;

/** The cache's decision before a job has started; unknown if the plan does not examine the job. */
export const plannedCacheSchema = namedObject("PlannedJobCache", {
  decision: z.enum([...CACHE_DECISIONS, "unknown"]),
  ...cacheShape,
});
export type PlannedJobCache = z.infer<typeof plannedCacheSchema>;

const summaryShape = {
  job_id: jobIdSchema,
  run_id: runIdSchema,
  url: z.string(),
  step: z.string().describe("Path of the step: `outer/inner`; empty for the run of a single tool"),
  sample_id: z.string().nullable(),
  scatter_index: z.array(z.int().min(0)),
  state: jobStateSchema,
  phase: z.enum(JOB_PHASES),
  state_reason: stateReasonSchema.nullable(),
  attempt: z.int().min(1),
  exit_code: z.int().nullable(),
  signal: z.int().nullable(),
  timing: jobTimingSchema,
  cached: z.boolean().describe("True if the job reused an earlier result and did not run"),
  cache_decision: z.enum(CACHE_DECISIONS).nullable().describe("As `cache.decision` of the job; null while undecided"),
  resources: z.object({ requested: resourcesRequestedSchema.nullable(), used: resourcesUsedSchema }),
  backend: z.object({ kind: z.string(), native_id: z.string().nullable(), reason: z.string().nullable() }),
} as const;

export const jobSummarySchema = namedObject("JobSummary", summaryShape);
export type JobSummary = z.infer<typeof jobSummarySchema>;

export const jobToolSchema = namedObject("JobTool", {
  id: z.string().nullable().describe("null for a tool that is inline in the network's document"),
  version: z.string().nullable(),
  class: z.enum(["CommandLineTool", "ExpressionTool", "Operation"]),
  label: z.string().optional(),
  url: z.string().optional(),
});
export type JobTool = z.infer<typeof jobToolSchema>;

const logSchema = z.object({ url: z.string(), size: bytesSchema });

export const jobSchema = namedObject("Job", {
  ...summaryShape,
  tool: jobToolSchema,
  attempts: z.array(attemptSchema).describe("Every attempt that has begun, in order"),
  command: commandSchema.nullable().describe("null while unknown; absent for an ExpressionTool").optional(),
  container: z
    .string()
    .optional()
    .describe("Image, digest and engine of the container, or why the job ran without the requested one"),
  sandbox: jobSandboxSchema.optional().describe("Sandbox of a command that ran on this machine without a container"),
  cache: jobCacheSchema.nullable().describe("null while undecided"),
  inputs: cwlObjectSchema,
  outputs: cwlObjectSchema.nullable(),
  logs: z.object({ stdout: logSchema, stderr: logSchema }).optional(),
  stderr_tail: z.string().optional().describe("For failed jobs: the last lines of standard error"),
  kill: killReportSchema
    .optional()
    .describe("For jobs that Weft stopped: how, and the evidence that all processes are gone"),
});
export type Job = z.infer<typeof jobSchema>;

const columnOf = <Value extends z.ZodType>(value: Value, description: string) => z.array(value).describe(description);
const msColumn = (description: string) => columnOf(z.int().nullable(), description);

/**
 * Part of the jobs of a run in queue order, as one list per field: 100,000 jobs take five such answers.
 * Times count from `origin`.
 */
export const jobTimesSchema = namedObject("JobTimes", {
  origin: timeSchema,
  steps: columnOf(z.string(), "Paths of the steps"),
  samples: columnOf(z.string(), "Names of the samples"),
  jobs: z.object({
    job_id: columnOf(jobIdSchema, "IDs"),
    step: columnOf(z.int().min(0), "Position in `steps`"),
    sample: columnOf(z.int().min(0).nullable(), "Position in `samples`; null without a sample"),
    state: columnOf(jobStateSchema, "States"),
    attempt: columnOf(z.int().min(1), "Number of the current attempt"),
    cached: columnOf(z.boolean(), "True if the job reused an earlier result"),
    queued: columnOf(z.int(), "Milliseconds from `origin` until the job was queued"),
    started: msColumn("Milliseconds until the attempt started; null before"),
    ended: msColumn("Milliseconds until it finished; null before"),
    cores: columnOf(z.number().nullable(), "Requested cores; null while unknown"),
    ram_bytes: columnOf(bytesSchema.nullable(), "Requested memory, in bytes; null while unknown"),
    max_rss_bytes: columnOf(bytesSchema.nullable(), "Peak memory, in bytes; null if not measured"),
  }),
  total: z.int().min(0).describe("Jobs of the run"),
  next: z.int().nullable().describe("`after` of the next part; null: this is the last"),
});
export type JobTimesPart = z.infer<typeof jobTimesSchema>;

export const jobListSchema = namedObject("JobList", { jobs: z.array(jobSummarySchema), ...pageShape });
export type JobList = z.infer<typeof jobListSchema>;
