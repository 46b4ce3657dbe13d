import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  DatasetOfNewRun,
  DatasetQuery,
  SavedDatasetQuery,
  SaveDatasetQuery,
} from "@weft/shared/records/dataset-record.ts";
import { api } from "./client.ts";

/** A folder that is read as a dataset; `pattern` is empty for one of BIDS. */
export interface DatasetPlace {
  readonly location: string;
  readonly pattern: string;
}

export const datasetKeys = {
  list: ["datasets", "list"] as const,
  detail: (place: DatasetPlace) => ["datasets", "detail", place] as const,
  files: (place: DatasetPlace, q: string) => ["datasets", "files", place, q] as const,
  result: (query: DatasetQuery) => ["datasets", "result", query] as const,
  ofRun: (runId: string) => ["datasets", "run", runId] as const,
  queries: ["dataset-queries"] as const,
};

/** Folders change at any time, and no event says so. */
const FRESH_MS = 5000;

const placeQuery = ({ location, pattern }: DatasetPlace) => ({ location, pattern: pattern || undefined });

export function datasetListQuery() {
  return queryOptions({
    queryKey: datasetKeys.list,
    queryFn: async ({ signal }) => (await api("GET /api/datasets", { signal })).datasets,
    staleTime: FRESH_MS,
  });
}

export function datasetDetailQuery(place: DatasetPlace) {
  return queryOptions({
    queryKey: datasetKeys.detail(place),
    queryFn: ({ signal }) => api("GET /api/datasets/detail", { query: placeQuery(place), signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Files per request. */
export const FILES_PER_PAGE = 500;

/** One page of the files of a dataset whose paths contain `q`. */
export function datasetFilesQuery(place: DatasetPlace, q: string, page: number) {
  return queryOptions({
    queryKey: [...datasetKeys.files(place, q), page],
    queryFn: ({ signal }) => {
      const query = { ...placeQuery(place), q: q || undefined, from: page * FILES_PER_PAGE, page_size: FILES_PER_PAGE };
      return api("GET /api/datasets/files", { query, signal });
    },
    staleTime: 60_000,
    retry: false,
  });
}

/** The current result of a query. */
export function datasetResultQuery(query: DatasetQuery) {
  return queryOptions({
    queryKey: datasetKeys.result(query),
    queryFn: ({ signal }) => api("POST /api/datasets/query", { body: query, signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    retry: false,
  });
}

/** The current result of a query for a run: one in the request, or a saved one. */
export function requestedSamplesQuery({ query, query_id: id = "" }: DatasetOfNewRun) {
  return queryOptions({
    queryKey: ["datasets", "requested", query ?? id] as const,
    queryFn: ({ signal }) =>
      query === undefined
        ? api("GET /api/dataset-queries/{query_id}/samples", { params: { query_id: id }, signal })
        : api("POST /api/datasets/query", { body: query, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
}

export function savedQueriesQuery() {
  return queryOptions({
    queryKey: datasetKeys.queries,
    queryFn: async ({ signal }) => (await api("GET /api/dataset-queries", { signal })).queries,
  });
}

/** The query that gave a run its samples; null if none did. It never changes. */
export function runDatasetQuery(runId: string) {
  return queryOptions({
    queryKey: datasetKeys.ofRun(runId),
    queryFn: async ({ signal }) =>
      (await api("GET /api/runs/{run_id}/dataset", { params: { run_id: runId }, signal })).dataset,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** Saves a new query, or a change of one. */
export function saveQuery(body: SaveDatasetQuery, old?: Pick<SavedDatasetQuery, "query_id" | "revision">) {
  if (old === undefined) return api("POST /api/dataset-queries", { body });
  return api("POST /api/dataset-queries/{query_id}", {
    params: { query_id: old.query_id },
    headers: { "if-match": `"${old.revision}"` },
    body,
  });
}

export function deleteQuery(queryId: string) {
  return api("DELETE /api/dataset-queries/{query_id}", { params: { query_id: queryId } });
}
