import { z } from "zod";
import { eventListSchema } from "../events/event-record.ts";
import { CACHE_DECISIONS, jobListSchema, jobSchema, jobTimesSchema } from "../records/job-record.ts";
import { JOB_SORT_KEYS } from "../records/job-sorts.ts";
import { catalogIdSchema, runIdSchema, timeSchema } from "../records/primitives.ts";
import { momentSchema } from "../records/moment-record.ts";
import { planSchema } from "../records/plan-record.ts";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { runResultsSchema } from "../records/result-record.ts";
import { sampleListSchema } from "../records/sample-record.ts";
import {
  createRunSchema,
  describedRunsSchema,
  describeRunSchema,
  describeRunsSchema,
  retryRunSchema,
  runListSchema,
  runOutputsSchema,
  runSchema,
  runStatusSchema,
} from "../records/run-record.ts";
import { JOB_STATES, RUN_STATES } from "../records/state-names.ts";
import {
  numberQuery,
  pageQueryShape,
  pageTokenQuery,
  statesQuery,
  textQuery,
  urlViewShape,
  wholeQuery,
} from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

export const startHeaders = z.object({
  "idempotency-key": z
    .string()
    .regex(/^(?!""$)[\x21-\x7e]{1,255}$/)
    .optional(),
});

export const startAnswers = {
  200: { description: "The plan (`?dry_run=true`)", schema: planSchema, isDeprecated: true },
  201: { description: "The run, recorded and started", schema: runSchema, headers: ["Location", "ETag"] },
} as const;

const olderPlanQuery = z.object({
  dry_run: z
    .stringbool()
    .optional()
    .meta({ deprecated: true, description: "Older form of the route for plans: `true` returns 200 with the plan" }),
});

export const planProblems = [
  "invalid-inputs",
  "invalid-document",
  "unsupported-feature",
  "network-not-found",
  "tool-not-found",
  "version-not-found",
] as const;

export const startProblems = [
  ...planProblems,
  "idempotency-key-reused",
  "draining",
  "queue-full",
  ...STORAGE_PROBLEMS,
] as const;

/** Bounds of a filter: whole numbers that are exact in JavaScript. */
const boundQuery = (description: string) => wholeQuery(0, Number.MAX_SAFE_INTEGER, description);

const jobSorts = JOB_SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);

export const RUN_SORTS = ["-created_at", "created_at"] as const;

export const runRoutes = routesOf("runs", {
  "POST /api/runs": {
    operationId: "createRun",
    access: "runner",
    summary: "Start a run",
    description:
      "With an `Idempotency-Key`, repeating the request within 24 h returns the run that it started. In a form, the part `run` comes first and holds the JSON; its Files refer to the other parts with `location`: `form:<part>`.",
    query: olderPlanQuery,
    headers: startHeaders,
    body: createRunSchema,
    takesForm: true,
    answers: startAnswers,
    problems: startProblems,
  },
  "POST /api/plans": {
    operationId: "planRun",
    access: "runner",
    summary: "Plan a run without starting it",
    description: "Takes the body of `POST /api/runs`, also as a form.",
    body: createRunSchema,
    takesForm: true,
    answers: { 200: { description: "The plan", schema: planSchema } },
    problems: [...planProblems, ...STORAGE_PROBLEMS],
  },
  "POST /api/runs/{run_id}/retry-plan": {
    operationId: "planRetry",
    access: "runner",
    summary: "Plan a retry without starting it",
    description: "Takes the body of `POST /api/runs/{run_id}/retry`.",
    body: retryRunSchema,
    bodyIsOptional: true,
    answers: { 200: { description: "The plan", schema: planSchema } },
    problems: [...planProblems, "conflict"],
  },
  "GET /api/runs": {
    operationId: "listRuns",
    access: "viewer",
    summary: "List runs, newest first",
    query: z.object({
      ...pageQueryShape,
      ...urlViewShape,
      state: statesQuery(RUN_STATES),
      network: catalogIdSchema.optional(),
      tool: catalogIdSchema.optional(),
      tag: textQuery(321, "`key` or `key:value`"),
      owner: z.string().max(200).optional(),
      archived: z
        .enum(["no", "only", "all"])
        .optional()
        .describe("`no`: no archived runs (default); `only`: only archived runs; `all`: all runs"),
      pinned: z.stringbool().optional().describe("Only pinned runs, or only others"),
      since: timeSchema.optional().describe("Created at or after"),
      until: timeSchema.optional().describe("Created before"),
      q: textQuery(200, "Part of the name, the ID, or the ID of the network or tool"),
      sort: z.enum(RUN_SORTS).optional(),
    }),
    answers: { 200: { description: "A page of runs", schema: runListSchema } },
  },
  "GET /api/runs/{run_id}": {
    operationId: "getRun",
    access: "viewer",
    summary: "Get a run",
    description: "Always small: omits large values and lists them in `omitted`.",
    query: z.object({
      view: z.enum(["full"]).optional().describe("`full`: includes all values, however large"),
    }),
    answers: { 200: { description: "The run", schema: runSchema, headers: ["ETag"] } },
  },
  "POST /api/runs/{run_id}/retry": {
    operationId: "retryRun",
    access: "runner",
    summary: "Retry a finished run, reusing all valid results",
    description:
      "Starts a new run with the recorded document, inputs and options, except where the body replaces them; the body is optional. Jobs reuse valid results of any run, so only new, changed and failed jobs run.",
    query: olderPlanQuery,
    headers: startHeaders,
    body: retryRunSchema,
    bodyIsOptional: true,
    answers: startAnswers,
    problems: [...startProblems, "conflict"],
  },
  "GET /api/runs/{run_id}/status": {
    operationId: "getRunStatus",
    access: "viewer",
    summary: "Get the state and progress of a run",
    description: "The size is constant. `Prefer: wait=30` with `If-None-Match` waits up to 30 s for a change.",
    answers: {
      200: { description: "The status", schema: runStatusSchema, headers: ["ETag"] },
      304: { description: "Nothing has changed" },
    },
  },
  "POST /api/runs/{run_id}/pause": {
    operationId: "pauseRun",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Pause a run",
    description:
      "Running jobs finish; no more jobs start. The run stays paused, also across restarts of the server, until a caller resumes or aborts it. Pausing twice has no effect.",
    answers: { 200: { description: "The run is paused", schema: runStatusSchema } },
    problems: ["conflict", "draining", ...STORAGE_PROBLEMS],
  },
  "POST /api/runs/{run_id}/resume": {
    operationId: "resumeRun",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Resume a paused run",
    answers: { 200: { description: "The run continues", schema: runStatusSchema } },
    problems: ["conflict", "draining", ...STORAGE_PROBLEMS],
  },
  "POST /api/runs/describe": {
    operationId: "describeRuns",
    access: "runner",
    summary: "Archive, pin or tag many runs",
    description: "Changes all runs that the caller may change, in one step, and lists the others.",
    body: describeRunsSchema,
    answers: { 200: { description: "The changes", schema: describedRunsSchema } },
    problems: [...STORAGE_PROBLEMS],
  },
  "POST /api/runs/{run_id}/describe": {
    operationId: "describeRun",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Rename, archive or pin a run, or change its note or tags",
    description: "Absent fields stay unchanged. The log keeps every earlier name, note and tag.",
    body: describeRunSchema,
    answers: { 200: { description: "The run", schema: runSchema, headers: ["ETag"] } },
    problems: ["conflict", ...STORAGE_PROBLEMS],
  },
  "DELETE /api/runs/{run_id}": {
    operationId: "abortRun",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Abort a run and keep its record",
    description: "Stops every process of the run. Does not change a finished run.",
    answers: {
      202: {
        description: "Abort accepted; some processes may still be running",
        schema: runStatusSchema,
        headers: ["Location"],
      },
      204: { description: "No process of the run is left" },
    },
    problems: STORAGE_PROBLEMS,
  },
  "GET /api/runs/{run_id}/jobs": {
    operationId: "listJobs",
    access: "viewer",
    summary: "List the jobs of a run",
    query: z.object({
      ...pageQueryShape,
      state: statesQuery(JOB_STATES),
      step: z.string().max(500).optional(),
      sample: z.string().max(500).optional(),
      q: textQuery(200, "Part of the job ID, step or sample"),
      message: textQuery(200, "Part of the message that explains the state"),
      cache: z.enum(CACHE_DECISIONS).optional().describe("Decision of the cache"),
      min_running_ms: boundQuery("Minimum running time in milliseconds, also of running jobs"),
      max_running_ms: boundQuery("Maximum running time in milliseconds"),
      min_rss_bytes: boundQuery("Minimum peak memory, in bytes"),
      max_rss_bytes: boundQuery("Maximum peak memory, in bytes"),
      sort: z
        .enum(jobSorts)
        .optional()
        .describe(
          "`-` before a name: largest first. Jobs without a value come last, equal jobs in queue order. Absent: `n`, the queue order",
        ),
      skip: wholeQuery(0, 10_000_000, "Number of jobs to skip at the beginning; ignored with `page_token`"),
    }),
    answers: { 200: { description: "A page of jobs", schema: jobListSchema } },
  },
  "GET /api/runs/{run_id}/timeline": {
    operationId: "listJobTimes",
    access: "viewer",
    summary: "List when the jobs of a run waited and ran",
    description: "For charts of large runs: one list per field, up to 20,000 jobs per response.",
    query: z.object({
      after: wholeQuery(0, Number.MAX_SAFE_INTEGER, "`next` of the previous part; absent: first part"),
    }),
    answers: { 200: { description: "Part of the jobs, in queue order", schema: jobTimesSchema } },
  },
  "GET /api/runs/{run_id}/jobs/{job_id}": {
    operationId: "getJob",
    access: "viewer",
    summary: "Get a job with its command line, inputs and outputs",
    answers: { 200: { description: "The job", schema: jobSchema } },
  },
  "GET /api/runs/{run_id}/jobs/{job_id}/log": {
    operationId: "getJobLog",
    access: "viewer",
    summary: "Read standard output or standard error of a job",
    query: z.object({
      stream: z.enum(["stdout", "stderr"]).optional().describe("Absent: stderr"),
      tail: wholeQuery(1, 16777216, "Only this number of last bytes"),
      follow: z.stringbool().optional().describe("Keep streaming until the job finishes; ignores `Range`"),
    }),
    headers: z.object({ range: z.string().optional() }),
    answers: {
      200: { description: "The bytes", mediaTypes: ["text/plain"], headers: ["Accept-Ranges"] },
      206: { description: "The requested range", mediaTypes: ["text/plain"], headers: ["Content-Range"] },
      304: { description: "Not modified" },
    },
    problems: ["run-not-found", "job-not-found", "file-not-found", "file-pruned", "range-not-satisfiable"],
  },
  "GET /api/runs/{run_id}/samples": {
    operationId: "listRunSamples",
    access: "viewer",
    summary: "List the samples of a run with the state of each step",
    description: "One letter per sample and step. For the jobs, use `GET /api/runs/{run_id}/jobs?sample=`.",
    query: z.object({
      page_size: wholeQuery(1, 50_000, "Samples per page, at most 50,000; fewer if there are very many steps"),
      // A page token contains the name of a sample.
      page_token: pageTokenQuery(4096),
    }),
    answers: { 200: { description: "A page of samples", schema: sampleListSchema } },
  },
  "GET /api/runs/{run_id}/events": {
    operationId: "listRunEvents",
    tag: "events",
    access: "viewer",
    summary: "List the events of a run, oldest first",
    description:
      "With `Accept: text/event-stream`, a continuous stream of Server-Sent Events; `Last-Event-ID` resumes.",
    query: z.object({
      since: numberQuery(z.int().min(0)).optional().describe("Only events after this `seq`"),
      ...pageQueryShape,
    }),
    answers: { 200: { description: "A page of events", schema: eventListSchema, mediaTypes: ["text/event-stream"] } },
  },
  "GET /api/runs/{run_id}/moment": {
    operationId: "getRunMoment",
    tag: "events",
    access: "viewer",
    summary: "Get one event of a run, with its neighbors",
    description:
      "Without parameters, the newest event. To find the state of the jobs at that moment, compare `time` with the times at which they were queued, started and finished.",
    query: z.object({
      at: numberQuery(z.int().min(0)).optional().describe("The last event up to this `seq`, or the first event"),
      number: numberQuery(z.int().min(1))
        .optional()
        .describe("The event with this number within the run, or the newest; overrides `at`"),
    }),
    answers: { 200: { description: "The event and its position", schema: momentSchema } },
  },
  "GET /api/runs/{run_id}/outputs": {
    operationId: "getRunOutputs",
    access: "viewer",
    summary: "Get the output object of a run",
    answers: {
      200: {
        description: "Output name to CWL value; Files have `location` (a URL), `size` and `checksum`",
        schema: runOutputsSchema,
      },
    },
  },
  "GET /api/runs/{run_id}/results": {
    operationId: "listRunResults",
    access: "viewer",
    summary: "List the outputs of a run by sample",
    description: "Returns the values of `GET /api/runs/{run_id}/outputs` in pages, so that responses stay small.",
    query: z.object({
      from: wholeQuery(0, 10_000_000, "Number of the first row; absent: 0"),
      page_size: wholeQuery(1, 200, "Rows per page, at most 200"),
      q: textQuery(200, "Part of the sample or of a file name in the row"),
    }),
    answers: { 200: { description: "Rows of results", schema: runResultsSchema } },
  },
  "GET /api/runs/{run_id}/files/{path}": {
    operationId: "getRunFile",
    tag: "files",
    access: "viewer",
    summary: "Read a file of a run: an output, or a file of a job",
    params: z.object({ run_id: runIdSchema, path: z.string().min(1).max(4096) }),
    query: z.object({ download: z.stringbool().optional().describe("Send as an attachment") }),
    headers: z.object({ range: z.string().optional() }),
    answers: {
      200: {
        description: "The bytes, with a safe content type and a Content-Security-Policy sandbox",
        mediaTypes: ["*/*"],
        headers: ["ETag", "Accept-Ranges"],
      },
      206: { description: "The requested range", mediaTypes: ["*/*"], headers: ["Content-Range"] },
      304: { description: "Not modified" },
    },
    problems: ["file-pruned", "range-not-satisfiable"],
  },
} as const satisfies RouteTable);
