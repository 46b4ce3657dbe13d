import { z } from "zod";
import { wesServiceInfoSchema } from "../records/ga4gh-record.ts";
import { wesDocumentDetailSchema, wesDocumentListSchema, wesDocumentSchema } from "../records/wes-document-record.ts";
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
import { pageQueryShape, statesQuery, wholeQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";
import { planProblems } from "./run-routes.ts";

const pageQuery = z.object({
  page_size: wholeQuery(1, 1_000_000_000, "Entries per page, at most 500"),
  page_token: z.string().max(512).optional(),
});

/** GA4GH Workflow Execution Service 1.1, which represents Weft's runs in the terms of that standard. */
export const wesRoutes = routesOf("wes", {
  "GET /ga4gh/wes/v1/service-info": {
    operationId: "wesServiceInfo",
    access: "open",
    summary: "Describe this service",
    description: "Omits run counts unless the caller has signed in.",
    answers: { 200: { description: "The service", schema: wesServiceInfoSchema } },
  },
  "GET /ga4gh/wes/v1/runs": {
    operationId: "wesListRuns",
    access: "viewer",
    summary: "List runs, newest first",
    description: "The parameter `state` extends the standard.",
    query: pageQuery.extend({
      state: statesQuery(RUN_STATES),
    }),
    answers: { 200: { description: "A page of runs", schema: wesRunListSchema } },
  },
  "POST /ga4gh/wes/v1/runs": {
    operationId: "wesRunWorkflow",
    access: "runner",
    summary: "Start a run",
    description:
      "Send the fields as `multipart/form-data` (texts or files) or, without attachments, URL-encoded. Weft ignores unknown fields and lists them in the log of the run. Attachments (`workflow_attachment`) are inputs: Files in `workflow_params` name them by relative path, or by a local path that ends with it. Weft runs documents of the catalog. With `--wes-documents`, `workflow_url` may also name an attachment, a document on an allowed host, or a stored document (`/api/wes-documents`); without it, Weft refuses these with 400, because a document determines which commands run.",
    bodyMediaType: "multipart/form-data",
    form: wesRunFormSchema,
    answers: { 200: { description: "The run has started", schema: wesRunIdSchema } },
    problems: [
      "malformed-json",
      "invalid-body",
      ...planProblems,
      "conflict",
      "unsupported-media-type",
      "body-too-large",
      "draining",
      "queue-full",
      ...STORAGE_PROBLEMS,
    ],
  },
  "GET /ga4gh/wes/v1/runs/{run_id}": {
    operationId: "wesGetRunLog",
    access: "viewer",
    summary: "Get a run: request, state, outputs",
    answers: { 200: { description: "The run", schema: wesRunLogSchema } },
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/stderr": {
    operationId: "wesGetRunErrors",
    access: "viewer",
    summary: "Read the log of a run: state, notes, last lines of failed jobs",
    answers: { 200: { description: "At most the first 20 failed jobs", mediaTypes: ["text/plain"] } },
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/status": {
    operationId: "wesGetRunStatus",
    access: "viewer",
    summary: "Get the state of a run",
    answers: { 200: { description: "The state", schema: wesRunStatusSchema } },
  },
  "POST /ga4gh/wes/v1/runs/{run_id}/cancel": {
    operationId: "wesCancelRun",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Abort a run",
    answers: { 200: { description: "Abort accepted", schema: wesRunIdSchema } },
    problems: STORAGE_PROBLEMS,
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks": {
    operationId: "wesListTasks",
    access: "viewer",
    summary: "List the jobs of a run",
    query: pageQuery,
    answers: { 200: { description: "A page of jobs", schema: wesTaskListSchema } },
  },
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks/{task_id}": {
    operationId: "wesGetTask",
    access: "viewer",
    summary: "Get a job",
    answers: { 200: { description: "The job", schema: wesTaskLogSchema } },
    problems: ["run-not-found", "job-not-found", "not-found"],
  },
  "GET /api/wes-documents": {
    operationId: "listWesDocuments",
    tag: "server",
    access: "viewer",
    summary: "List the documents that arrived through WES, newest first",
    description: "With `--private-runs`, non-admins see only approved documents and their own.",
    query: z.object(pageQueryShape),
    answers: { 200: { description: "A page of documents", schema: wesDocumentListSchema } },
  },
  "GET /api/wes-documents/{digest}": {
    operationId: "getWesDocument",
    tag: "server",
    access: "viewer",
    summary: "Get a document that arrived through WES, with its files",
    answers: { 200: { description: "The document", schema: wesDocumentDetailSchema } },
    problems: ["invalid-document"],
  },
  "POST /api/wes-documents/{digest}/approve": {
    operationId: "approveWesDocument",
    tag: "server",
    access: "admin",
    summary: "Let runners run a document that arrived through WES",
    description: "Approves exactly these bytes: a changed document has another digest.",
    answers: { 200: { description: "Approved", schema: wesDocumentSchema } },
    problems: STORAGE_PROBLEMS,
  },
  "POST /api/wes-documents/{digest}/withdraw": {
    operationId: "withdrawWesDocument",
    tag: "server",
    access: "admin",
    summary: "Withdraw the approval of a document",
    description: "Runs of the document continue. Runners can no longer start, retry or reproduce one.",
    answers: { 200: { description: "Withdrawn", schema: wesDocumentSchema } },
    problems: STORAGE_PROBLEMS,
  },
} as const satisfies RouteTable);
