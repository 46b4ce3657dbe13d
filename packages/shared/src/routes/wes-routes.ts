import { z } from "zod";
import { wesServiceInfoSchema } from "../records/ga4gh-record.ts";
import { jobIdSchema, runIdSchema } from "../records/primitives.ts";
import {
  wesRunFormSchema,
  wesRunIdSchema,
  wesRunListSchema,
  wesRunLogSchema,
  wesRunStatusSchema,
  wesTaskListSchema,
  wesTaskLogSchema,
} from "../records/wes-record.ts";
import { RUN_STATES } from "../records/state-names.ts";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import type { RouteTable } from "./route.ts";
import { statesQuery } from "./states-query.ts";

const runParams = z.object({ run_id: runIdSchema });
const pageQuery = z.object({
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .meta({ description: "Entries per page, at most 500" }),
  page_token: z.string().max(512).optional(),
});

/** GA4GH Workflow Execution Service 1.1: the same runs in the words of that standard. */
export const wesRoutes = {
  "GET /ga4gh/wes/v1/service-info": {
    operationId: "wesServiceInfo",
    tag: "wes",
    access: "open",
    summary: "Describe this service",
    description: "Omits run counts unless the caller has signed in.",
    answers: { 200: { description: "The service", schema: wesServiceInfoSchema } },
    problems: [],
  },
  "GET /ga4gh/wes/v1/runs": {
    operationId: "wesListRuns",
    tag: "wes",
    access: "viewer",
    summary: "List runs, newest first",
    description: "The parameter `state` extends the standard.",
    query: pageQuery.extend({
      state: statesQuery(RUN_STATES),
    }),
    answers: { 200: { description: "A page of runs", schema: wesRunListSchema } },
    problems: [],
  },
  "POST /ga4gh/wes/v1/runs": {
    operationId: "wesRunWorkflow",
    tag: "wes",
    access: "runner",
    summary: "Start a run",
    description:
      "Send the fields as `multipart/form-data` (texts or files) or, without attachments, URL-encoded. Weft ignores unknown fields and lists them in the log of the run. Attachments (`workflow_attachment`) are inputs: Files in `workflow_params` name them by relative path, or by a local path that ends with it. The document must be in the catalog: Weft refuses a `workflow_url` that names an attachment with 400, because a document determines which commands run.",
    bodyMediaType: "multipart/form-data",
    form: wesRunFormSchema,
    answers: { 200: { description: "The run has started", schema: wesRunIdSchema } },
    problems: [
      "malformed-json",
      "invalid-body",
      "invalid-inputs",
      "invalid-document",
      "unsupported-feature",
      "network-not-found",
      "tool-not-found",
      "version-not-found",
      "unsupported-media-type",
      "body-too-large",
      "draining",
      "queue-full",
      ...STORAGE_PROBLEMS,
    ],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}": {
    operationId: "wesGetRunLog",
    tag: "wes",
    access: "viewer",
    summary: "Get a run: request, state, outputs",
    params: runParams,
    answers: { 200: { description: "The run", schema: wesRunLogSchema } },
    problems: ["run-not-found"],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/stderr": {
    operationId: "wesGetRunErrors",
    tag: "wes",
    access: "viewer",
    summary: "Read the log of a run: state, notes, last lines of failed jobs",
    params: runParams,
    answers: { 200: { description: "At most the first 20 failed jobs", mediaTypes: ["text/plain"] } },
    problems: ["run-not-found"],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/status": {
    operationId: "wesGetRunStatus",
    tag: "wes",
    access: "viewer",
    summary: "Get the state of a run",
    params: runParams,
    answers: { 200: { description: "The state", schema: wesRunStatusSchema } },
    problems: ["run-not-found"],
  },
  "POST /ga4gh/wes/v1/runs/{run_id}/cancel": {
    operationId: "wesCancelRun",
    tag: "wes",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Abort a run",
    params: runParams,
    answers: { 200: { description: "Abort accepted", schema: wesRunIdSchema } },
    problems: ["run-not-found", ...STORAGE_PROBLEMS],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks": {
    operationId: "wesListTasks",
    tag: "wes",
    access: "viewer",
    summary: "List the jobs of a run",
    params: runParams,
    query: pageQuery,
    answers: { 200: { description: "A page of jobs", schema: wesTaskListSchema } },
    problems: ["run-not-found"],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks/{task_id}": {
    operationId: "wesGetTask",
    tag: "wes",
    access: "viewer",
    summary: "Get a job",
    params: z.object({ run_id: runIdSchema, task_id: jobIdSchema }),
    answers: { 200: { description: "The job", schema: wesTaskLogSchema } },
    problems: ["run-not-found", "job-not-found", "not-found"],
  },
} as const satisfies RouteTable;
