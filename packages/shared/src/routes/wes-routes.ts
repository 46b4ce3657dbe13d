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
  page_size: z.coerce.number().int().min(1).max(1_000_000_000).optional().meta({ description: "At most 500 come" }),
  page_token: z.string().max(512).optional(),
});

/** GA4GH Workflow Execution Service 1.1: the same runs in the words of that standard. */
export const wesRoutes = {
  "GET /ga4gh/wes/v1/service-info": {
    operationId: "wesServiceInfo",
    tag: "wes",
    access: "open",
    summary: "What this service can do",
    description: "Callers without a login get no counts of runs.",
    answers: { 200: { description: "The service", schema: wesServiceInfoSchema } },
    problems: [],
  },
  "GET /ga4gh/wes/v1/runs": {
    operationId: "wesListRuns",
    tag: "wes",
    access: "viewer",
    summary: "List runs, newest first",
    description: "`state` goes beyond the standard.",
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
      "The fields come as `multipart/form-data` (as texts or files) or, without attachments, urlencoded. Unknown fields are ignored; the log of the run says which. Files of the form (`workflow_attachment`) are inputs that Files in `workflow_params` name by their relative path, or by a local path of the client that ends like it. The document itself must be in the catalog: a `workflow_url` that names an attachment is refused with 400, because a document determines which commands run.",
    bodyMediaType: "multipart/form-data",
    form: wesRunFormSchema,
    answers: { 200: { description: "The run has been started", schema: wesRunIdSchema } },
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
    summary: "One run: request, state, outputs",
    params: runParams,
    answers: { 200: { description: "The run", schema: wesRunLogSchema } },
    problems: ["run-not-found"],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/stderr": {
    operationId: "wesGetRunErrors",
    tag: "wes",
    access: "viewer",
    summary: "Log of a run: state, notes, and the last lines of failed jobs",
    params: runParams,
    answers: { 200: { description: "At most the first 20 failed jobs", mediaTypes: ["text/plain"] } },
    problems: ["run-not-found"],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/status": {
    operationId: "wesGetRunStatus",
    tag: "wes",
    access: "viewer",
    summary: "State of a run",
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
    answers: { 200: { description: "The abort was accepted", schema: wesRunIdSchema } },
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
    summary: "One job",
    params: z.object({ run_id: runIdSchema, task_id: jobIdSchema }),
    answers: { 200: { description: "The job", schema: wesTaskLogSchema } },
    problems: ["run-not-found", "job-not-found", "not-found"],
  },
} as const satisfies RouteTable;
