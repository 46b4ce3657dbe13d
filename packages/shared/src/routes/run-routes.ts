import { z } from "zod";
import { eventListSchema } from "../events/event-record.ts";
import { jobListSchema, jobSchema } from "../records/job-record.ts";
import {
  catalogIdSchema,
  jobIdSchema,
  pageQueryShape,
  runIdSchema,
  timeSchema,
  urlViewShape,
} from "../records/primitives.ts";
import { planSchema } from "../records/plan-record.ts";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import {
  createRunSchema,
  retryRunSchema,
  runListSchema,
  runOutputsSchema,
  runSchema,
  runStatusSchema,
} from "../records/run-record.ts";
import { JOB_STATES, RUN_STATES } from "../records/state-names.ts";
import type { RouteTable } from "./route.ts";
import { statesQuery } from "./states-query.ts";

const runParams = z.object({ run_id: runIdSchema });
const jobParams = z.object({ run_id: runIdSchema, job_id: jobIdSchema });

const startHeaders = z.object({
  "idempotency-key": z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional(),
});

const startAnswers = {
  200: { description: "The plan (`?dry_run=true`)", schema: planSchema },
  201: { description: "The run, durable and started", schema: runSchema, headers: ["Location", "ETag"] },
} as const;

const startProblems = [
  "malformed-json",
  "invalid-body",
  "invalid-parameters",
  "invalid-inputs",
  "invalid-document",
  "unsupported-feature",
  "network-not-found",
  "tool-not-found",
  "version-not-found",
  "unsupported-media-type",
  "body-too-large",
  "idempotency-key-reused",
  "cross-origin",
  "draining",
  "queue-full",
  ...STORAGE_PROBLEMS,
] as const;

export const RUN_SORTS = ["-created_at", "created_at"] as const;

export const runRoutes = {
  "POST /api/runs": {
    operationId: "createRun",
    tag: "runs",
    access: "runner",
    summary: "Start a run at once",
    description:
      "`?dry_run=true` answers 200 with the plan and starts nothing. With an `Idempotency-Key` the same request, repeated within 24 h, is answered with the run that it started. As a form the part `run` holds the JSON and comes first; files come in parts that Files of it name by `location`: `form:<part>`.",
    query: z.object({ dry_run: z.stringbool().optional() }),
    headers: startHeaders,
    body: createRunSchema,
    takesForm: true,
    answers: startAnswers,
    problems: startProblems,
  },
  "GET /api/runs": {
    operationId: "listRuns",
    tag: "runs",
    access: "viewer",
    summary: "List runs, newest first",
    query: z.object({
      ...pageQueryShape,
      ...urlViewShape,
      state: statesQuery(RUN_STATES),
      network: catalogIdSchema.optional(),
      tool: catalogIdSchema.optional(),
      tag: z.string().max(321).optional().meta({ description: "`key` or `key:value`" }),
      owner: z.string().max(200).optional(),
      since: timeSchema.optional().meta({ description: "Created at or after" }),
      until: timeSchema.optional().meta({ description: "Created before" }),
      q: z.string().max(200).optional().meta({ description: "Part of the name, the id, or the id of network or tool" }),
      sort: z.enum(RUN_SORTS).optional(),
    }),
    answers: { 200: { description: "A page of runs", schema: runListSchema } },
    problems: ["invalid-parameters"],
  },
  "GET /api/runs/{run_id}": {
    operationId: "getRun",
    tag: "runs",
    access: "viewer",
    summary: "One run",
    description: "Stays small however much a run made: large values are left out, as `omitted` says.",
    params: runParams,
    query: z.object({
      view: z.enum(["full"]).optional().meta({ description: "`full`: with all values, however large" }),
    }),
    answers: { 200: { description: "The run", schema: runSchema, headers: ["ETag"] } },
    problems: ["run-not-found", "invalid-parameters"],
  },
  "POST /api/runs/{run_id}/retry": {
    operationId: "retryRun",
    tag: "runs",
    access: "runner",
    summary: "Start a run that has ended once more, reusing all that is valid",
    description:
      "A new run of the same document with the same inputs and options, as far as the body says nothing else; the body may be left out. Jobs whose earlier result still holds take it over, whatever run it comes from, so only what is new, has changed or had failed runs. `?dry_run=true` answers 200 with the plan and starts nothing.",
    params: runParams,
    query: z.object({ dry_run: z.stringbool().optional() }),
    headers: startHeaders,
    body: retryRunSchema,
    bodyIsOptional: true,
    answers: startAnswers,
    problems: [...startProblems, "run-not-found", "conflict"],
  },
  "GET /api/runs/{run_id}/status": {
    operationId: "getRunStatus",
    tag: "runs",
    access: "viewer",
    summary: "State and progress of a run, of constant size",
    description: "`Prefer: wait=30` with `If-None-Match` waits up to 30 s for a change.",
    params: runParams,
    answers: {
      200: { description: "The status", schema: runStatusSchema, headers: ["ETag"] },
      304: { description: "Nothing has changed" },
    },
    problems: ["run-not-found", "invalid-parameters"],
  },
  "POST /api/runs/{run_id}/pause": {
    operationId: "pauseRun",
    tag: "runs",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Start nothing more of a run for now",
    description:
      "Jobs that run go on to their end. The run stays paused, over restarts of the server too, until it is resumed or aborted. Pausing twice changes nothing.",
    params: runParams,
    answers: { 200: { description: "The run is paused", schema: runStatusSchema } },
    problems: ["run-not-found", "conflict", "invalid-parameters", "cross-origin", "draining", ...STORAGE_PROBLEMS],
  },
  "POST /api/runs/{run_id}/resume": {
    operationId: "resumeRun",
    tag: "runs",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Go on with a run that was paused",
    params: runParams,
    answers: { 200: { description: "The run goes on", schema: runStatusSchema } },
    problems: ["run-not-found", "conflict", "invalid-parameters", "cross-origin", "draining", ...STORAGE_PROBLEMS],
  },
  "DELETE /api/runs/{run_id}": {
    operationId: "abortRun",
    tag: "runs",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Abort a run; nothing is erased",
    description: "Ends every process of the run. A run that has ended stays as it is.",
    params: runParams,
    answers: {
      202: {
        description: "Abort accepted; the proof that nothing is left is still outstanding",
        schema: runStatusSchema,
        headers: ["Location"],
      },
      204: { description: "No process of the run is left" },
    },
    problems: ["run-not-found", "invalid-parameters", "cross-origin", ...STORAGE_PROBLEMS],
  },
  "GET /api/runs/{run_id}/jobs": {
    operationId: "listJobs",
    tag: "runs",
    access: "viewer",
    summary: "List the jobs of a run",
    params: runParams,
    query: z.object({
      ...pageQueryShape,
      state: statesQuery(JOB_STATES),
      step: z.string().max(500).optional(),
      sample: z.string().max(500).optional(),
      q: z.string().max(200).optional().meta({ description: "Part of the job id, step or sample" }),
    }),
    answers: { 200: { description: "A page of jobs in the order in which they were queued", schema: jobListSchema } },
    problems: ["run-not-found", "invalid-parameters"],
  },
  "GET /api/runs/{run_id}/jobs/{job_id}": {
    operationId: "getJob",
    tag: "runs",
    access: "viewer",
    summary: "One job with its command line, inputs and outputs",
    params: jobParams,
    answers: { 200: { description: "The job", schema: jobSchema } },
    problems: ["run-not-found", "job-not-found", "invalid-parameters"],
  },
  "GET /api/runs/{run_id}/jobs/{job_id}/log": {
    operationId: "getJobLog",
    tag: "runs",
    access: "viewer",
    summary: "What a job wrote to standard output or standard error",
    params: jobParams,
    query: z.object({
      stream: z.enum(["stdout", "stderr"]).optional().meta({ description: "Absent: stderr" }),
      tail: z.coerce
        .number()
        .int()
        .min(1)
        .max(16777216)
        .optional()
        .meta({ description: "Only the last so many bytes" }),
      follow: z.stringbool().optional().meta({
        description: "Go on with what the job writes until it has ended; `Range` is not looked at then",
      }),
    }),
    headers: z.object({ range: z.string().optional() }),
    answers: {
      200: { description: "The bytes", mediaTypes: ["text/plain"], headers: ["Accept-Ranges"] },
      206: { description: "The requested range", mediaTypes: ["text/plain"], headers: ["Content-Range"] },
      304: { description: "Not modified" },
    },
    problems: [
      "run-not-found",
      "job-not-found",
      "file-not-found",
      "file-pruned",
      "range-not-satisfiable",
      "invalid-parameters",
    ],
  },
  "GET /api/runs/{run_id}/events": {
    operationId: "listRunEvents",
    tag: "events",
    access: "viewer",
    summary: "The events of a run, oldest first",
    description: "With `Accept: text/event-stream` as Server-Sent Events that go on; `Last-Event-ID` resumes.",
    params: runParams,
    query: z.object({
      since: z.coerce.number().int().min(0).optional().meta({ description: "Only events after this `seq`" }),
      page_size: pageQueryShape.page_size,
      page_token: pageQueryShape.page_token,
    }),
    answers: { 200: { description: "A page of events", schema: eventListSchema, mediaTypes: ["text/event-stream"] } },
    problems: ["run-not-found", "invalid-parameters", "not-acceptable"],
  },
  "GET /api/runs/{run_id}/outputs": {
    operationId: "getRunOutputs",
    tag: "runs",
    access: "viewer",
    summary: "The output object of a run",
    params: runParams,
    answers: {
      200: {
        description: "Output name to CWL value; File objects carry `location` (a URL), `size` and `checksum`",
        schema: runOutputsSchema,
      },
    },
    problems: ["run-not-found", "invalid-parameters"],
  },
  "GET /api/runs/{run_id}/files/{path}": {
    operationId: "getRunFile",
    tag: "files",
    access: "viewer",
    summary: "One file of a run: an output, or what a job wrote",
    params: z.object({ run_id: runIdSchema, path: z.string().min(1).max(4096) }),
    query: z.object({ download: z.stringbool().optional().meta({ description: "Send as an attachment" }) }),
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
    problems: ["run-not-found", "file-not-found", "file-pruned", "range-not-satisfiable", "invalid-parameters"],
  },
} as const satisfies RouteTable;
