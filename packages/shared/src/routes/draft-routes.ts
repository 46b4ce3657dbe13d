import { z } from "zod";
import {
  changeDraftFilesSchema,
  createDraftSchema,
  documentListSchema,
  draftCheckSchema,
  draftEditorsSchema,
  draftFileListSchema,
  draftFileTextSchema,
  draftIdSchema,
  draftSchema,
  draftSummarySchema,
  publishDraftSchema,
  publishedVersionSchema,
  saveDraftSchema,
  visitDraftSchema,
} from "../records/draft-record.ts";
import { PROCESS_PROBLEMS, STORAGE_PROBLEMS, type ProblemCode } from "../records/refusal.ts";
import { runTestsSchema, testListSchema } from "../records/test-record.ts";
import { createRunSchema } from "../records/run-record.ts";
import { planSchema } from "../records/plan-record.ts";
import { revisionTag } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";
import { planProblems, startAnswers, startHeaders, startProblems } from "./run-routes.ts";

const ifMatch = revisionTag("ETag of the revision that the request is about");

/** A change names the revision that it is based on, so that two editors never replace each other's text. */
const revisionHeader = z.object({ "if-match": ifMatch });

/** Requests that only read a draft may name the revision that its user has seen. */
export const seenHeader = z.object({ "if-match": ifMatch.optional() });

const OF_SEEN = "With `If-Match`, any other revision of the draft is refused with `412 precondition-failed`.";

const draftRunSchema = createRunSchema
  .omit({ network: true, tool: true, version: true })
  .meta({ id: "CreateDraftRun", description: "The body of `POST /api/runs` without the process" });

/** False for problems with the name of a process in the catalog. */
const isOfDraft = (code: ProblemCode) => !/^(?:network|tool|version)-not-found$/.test(code);

/** Drafts of tools and networks, and publishing. `404 not-found` if the server runs with `--no-workbench`. */
export const draftRoutes = routesOf("drafts", {
  "GET /api/drafts": {
    operationId: "listDrafts",
    access: "author",
    summary: "List all drafts, last changed first",
    answers: { 200: { description: "The drafts", schema: z.object({ drafts: z.array(draftSummarySchema) }) } },
    problems: ["not-found"],
  },
  "POST /api/drafts": {
    operationId: "createDraft",
    access: "author",
    summary: "Create a draft, empty or from a published version",
    body: createDraftSchema,
    answers: {
      201: { description: "The draft", schema: draftSchema, headers: ["ETag"], location: "/api/drafts/{draft_id}" },
    },
    problems: ["not-found", ...PROCESS_PROBLEMS, "conflict", ...STORAGE_PROBLEMS],
  },
  "GET /api/drafts/{draft_id}": {
    operationId: "getDraft",
    access: "author",
    summary: "Get a draft",
    answers: {
      200: { description: "The draft", schema: draftSchema, headers: ["ETag"] },
      304: { description: "Nothing has changed" },
    },
  },
  "POST /api/drafts/{draft_id}": {
    operationId: "saveDraft",
    access: "author",
    summary: "Replace the text of a draft",
    headers: revisionHeader,
    body: saveDraftSchema,
    answers: { 200: { description: "The draft", schema: draftSchema, headers: ["ETag"] } },
    problems: ["precondition-failed", ...STORAGE_PROBLEMS],
  },
  "GET /api/drafts/{draft_id}/files": {
    operationId: "listDraftFiles",
    access: "author",
    summary: "List the files next to the document of a draft: helper files, tests and examples",
    answers: { 200: { description: "The files by path", schema: draftFileListSchema } },
  },
  "POST /api/drafts/{draft_id}/files": {
    operationId: "changeDraftFiles",
    access: "author",
    summary: "Write, rename and delete files next to the document of a draft",
    description: "Makes all changes or none. The base version keeps its files; only the draft changes.",
    headers: revisionHeader,
    body: changeDraftFilesSchema,
    answers: { 200: { description: "The draft", schema: draftSchema, headers: ["ETag"] } },
    problems: ["not-found", "file-not-found", "conflict", "precondition-failed", ...STORAGE_PROBLEMS],
  },
  "GET /api/drafts/{draft_id}/files/{path}": {
    operationId: "getDraftFile",
    access: "author",
    summary: "Get the text of a file next to the document of a draft",
    params: z.object({ draft_id: draftIdSchema, path: z.string().max(1000) }),
    answers: { 200: { description: "The text", schema: draftFileTextSchema } },
  },
  "GET /api/drafts/{draft_id}/tests": {
    operationId: "listDraftTests",
    access: "author",
    summary: "List the tests of a draft, with their last results",
    answers: { 200: { description: "The tests", schema: testListSchema } },
  },
  "POST /api/drafts/{draft_id}/tests": {
    operationId: "runDraftTests",
    access: "author",
    summary: "Run the tests of a draft",
    description: `Each test is a run of the caller, without the cache. Weft compares its outputs with the test when it has finished. ${OF_SEEN}`,
    headers: seenHeader,
    body: runTestsSchema,
    bodyIsOptional: true,
    answers: { 202: { description: "The tests; those that have started are running", schema: testListSchema } },
    problems: [
      ...startProblems.filter(
        (code) => isOfDraft(code) && code !== "idempotency-key-reused" && code !== "invalid-inputs",
      ),
      "precondition-failed",
    ],
  },
  "DELETE /api/drafts/{draft_id}": {
    operationId: "deleteDraft",
    access: "author",
    summary: "Delete a draft",
    description: OF_SEEN,
    headers: seenHeader,
    answers: { 204: { description: "Deleted" } },
    problems: ["precondition-failed", ...STORAGE_PROBLEMS],
  },
  "GET /api/drafts/{draft_id}/editors": {
    operationId: "listDraftEditors",
    access: "author",
    summary: "List the editors that have a draft open",
    answers: { 200: { description: "The editors", schema: draftEditorsSchema } },
  },
  "POST /api/drafts/{draft_id}/editors": {
    operationId: "visitDraft",
    access: "author",
    summary: "Say that an editor has a draft open, or has closed it",
    description:
      "The caller counts as an editor for 15 seconds after each request. The server keeps this in memory only; the audit log leaves it out.",
    isUnaudited: true,
    body: visitDraftSchema,
    answers: { 200: { description: "The other editors", schema: draftEditorsSchema } },
  },
  "GET /api/drafts/{draft_id}/check": {
    operationId: "checkDraft",
    access: "author",
    summary: "Check a draft: problems, inputs, outputs, and the version to publish it as",
    description: OF_SEEN,
    headers: seenHeader,
    answers: { 200: { description: "The draft as the server reads it", schema: draftCheckSchema } },
    problems: ["precondition-failed"],
  },
  "POST /api/drafts/{draft_id}/runs": {
    operationId: "runDraft",
    access: "author",
    summary: "Start a run of a draft",
    description: `The run keeps the text that it started with, and records the draft. ${OF_SEEN}`,
    headers: startHeaders.extend(seenHeader.shape),
    body: draftRunSchema,
    answers: { 201: startAnswers[201] },
    problems: [...startProblems.filter(isOfDraft), "precondition-failed"],
  },
  "POST /api/drafts/{draft_id}/plans": {
    operationId: "planDraft",
    access: "author",
    summary: "Plan a run of a draft without starting it",
    description: OF_SEEN,
    headers: seenHeader,
    body: draftRunSchema,
    answers: { 200: { description: "The plan", schema: planSchema } },
    problems: [...planProblems.filter(isOfDraft), "precondition-failed", ...STORAGE_PROBLEMS],
  },
  "POST /api/drafts/{draft_id}/publish": {
    operationId: "publishDraft",
    access: "author",
    summary: "Publish a draft as a new version",
    description:
      "Writes the version into the catalog folder in one step, with checksums, and deletes the draft. A published version never changes. Refused with `409 conflict` while a test has not passed with this revision, unless `anyway` is true.",
    headers: revisionHeader,
    body: publishDraftSchema,
    answers: { 201: { description: "The new version", schema: publishedVersionSchema, headers: ["Location"] } },
    problems: ["precondition-failed", "conflict", "invalid-document", ...STORAGE_PROBLEMS],
  },
  "GET /api/documents": {
    operationId: "listDocuments",
    access: "viewer",
    summary: "List the documents of the catalog",
    answers: { 200: { description: "All documents, by path", schema: documentListSchema } },
  },
  "GET /api/documents/{path}": {
    operationId: "getDocument",
    access: "viewer",
    summary: "Get the text of a document of the catalog, or of a file that it includes",
    params: z.object({ path: z.string().max(1000) }),
    answers: { 200: { description: "The text", schema: z.object({ path: z.string(), text: z.string() }) } },
  },
} as const satisfies RouteTable);
