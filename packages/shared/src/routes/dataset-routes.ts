import { z } from "zod";
import {
  datasetDetailSchema,
  datasetFilePageSchema,
  datasetListSchema,
  datasetLocationSchema,
  datasetOfRunSchema,
  datasetPatternSchema,
  datasetQuerySchema,
  queryResultSchema,
  savedQueryListSchema,
  savedQuerySchema,
  saveQuerySchema,
} from "../records/dataset-record.ts";
import { catalogIdSchema } from "../records/primitives.ts";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { revisionTag, textQuery, wholeQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

const folderQuery = {
  location: datasetLocationSchema,
  pattern: datasetPatternSchema
    .optional()
    .describe("Absent: a BIDS dataset, or all files of another folder (`**/{file}`)"),
} as const;

/** Datasets in data folders, and queries that make samples from them. */
export const datasetRoutes = routesOf("datasets", {
  "GET /api/datasets": {
    operationId: "listDatasets",
    access: "viewer",
    summary: "List the data folders and the BIDS datasets in them",
    answers: { 200: { description: "By location", schema: datasetListSchema } },
  },
  "GET /api/datasets/detail": {
    operationId: "getDataset",
    access: "viewer",
    summary: "Describe a dataset: its fields with their values, and what is not part of it",
    query: z.object(folderQuery),
    answers: { 200: { description: "The dataset", schema: datasetDetailSchema } },
    problems: ["file-not-found"],
  },
  "GET /api/datasets/files": {
    operationId: "listDatasetFiles",
    access: "viewer",
    summary: "List the files of a dataset with the fields of their names",
    query: z.object({
      ...folderQuery,
      from: wholeQuery(0, 10_000_000, "Absent: 0"),
      page_size: wholeQuery(1, 500, "At most 500"),
      q: textQuery(200, "Part of the path; ignores case"),
    }),
    answers: { 200: { description: "Part of the files, by path", schema: datasetFilePageSchema } },
    problems: ["file-not-found"],
  },
  "POST /api/datasets/query": {
    operationId: "queryDataset",
    access: "viewer",
    summary: "Ask a dataset for samples; starts nothing",
    description: "Returns the samples, and what the query leaves out with the reason.",
    body: datasetQuerySchema,
    answers: { 200: { description: "The result", schema: queryResultSchema } },
    problems: ["file-not-found"],
  },
  "GET /api/dataset-queries": {
    operationId: "listDatasetQueries",
    access: "viewer",
    summary: "List the saved queries, by network and name",
    query: z.object({ network: catalogIdSchema.optional().describe("Only those of this network") }),
    answers: { 200: { description: "The queries", schema: savedQueryListSchema } },
  },
  "POST /api/dataset-queries": {
    operationId: "saveDatasetQuery",
    access: "runner",
    summary: "Save a query under a name",
    body: saveQuerySchema,
    answers: {
      201: {
        description: "The query",
        schema: savedQuerySchema,
        headers: ["ETag"],
        location: "/api/dataset-queries/{query_id}",
      },
    },
    problems: ["network-not-found", "conflict", ...STORAGE_PROBLEMS],
  },
  "GET /api/dataset-queries/{query_id}": {
    operationId: "getDatasetQuery",
    access: "viewer",
    summary: "Get a saved query",
    answers: {
      200: { description: "The query", schema: savedQuerySchema, headers: ["ETag"] },
      304: { description: "Nothing has changed" },
    },
  },
  "POST /api/dataset-queries/{query_id}": {
    operationId: "changeDatasetQuery",
    access: "runner",
    summary: "Replace a saved query",
    headers: z.object({
      "if-match": revisionTag("ETag of the revision that the change is based on"),
    }),
    body: saveQuerySchema,
    answers: { 200: { description: "The query", schema: savedQuerySchema, headers: ["ETag"] } },
    problems: ["not-found", "precondition-failed", "network-not-found", "conflict", ...STORAGE_PROBLEMS],
  },
  "DELETE /api/dataset-queries/{query_id}": {
    operationId: "deleteDatasetQuery",
    access: "runner",
    summary: "Delete a saved query",
    description: "Runs keep the query that they were started with.",
    answers: { 204: { description: "Deleted" } },
    problems: STORAGE_PROBLEMS,
  },
  "GET /api/dataset-queries/{query_id}/samples": {
    operationId: "listDatasetQuerySamples",
    access: "viewer",
    summary: "Ask a saved query for its samples",
    answers: { 200: { description: "The result", schema: queryResultSchema } },
    problems: ["not-found", "file-not-found", "invalid-body"],
  },
  "GET /api/runs/{run_id}/dataset": {
    operationId: "getRunDataset",
    tag: "runs",
    access: "viewer",
    summary: "Get the query that gave a run its samples, and its result",
    answers: {
      200: {
        description: "The query and its result",
        schema: z.object({
          dataset: datasetOfRunSchema.nullable().describe("null: no query gave samples"),
        }),
      },
    },
  },
} as const satisfies RouteTable);
