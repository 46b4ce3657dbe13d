import { keepPreviousData } from "@tanstack/react-query";
import type {
  DatasetOfNewRun,
  DatasetQuery,
  SavedDatasetQuery,
  SaveDatasetQuery,
} from "@weft/shared/records/dataset-record.ts";
import { api } from "../client.ts";
import { routeQuery } from "../route-query.ts";

/** A folder that is read as a dataset; `pattern` is empty for a BIDS dataset. */
export interface DatasetPlace {
  readonly location: string;
  readonly pattern: string;
}

/** Folders change at any time without an event, so results stay fresh only this long. */
const FRESH_MS = 5000;

export const datasetListQuery = () => ({ ...routeQuery("GET /api/datasets"), staleTime: FRESH_MS });

export const datasetDetailQuery = (place: DatasetPlace) => ({
  ...routeQuery("GET /api/datasets/detail", { query: place }),
  staleTime: FRESH_MS,
  placeholderData: keepPreviousData,
  retry: false,
});

/** Files per request. */
export const FILES_PER_PAGE = 500;

/** One page of the files of a dataset whose paths contain `q`. */
export function datasetFilesQuery(place: DatasetPlace, q: string, page: number) {
  const query = { ...place, q, from: page * FILES_PER_PAGE, page_size: FILES_PER_PAGE };
  return { ...routeQuery("GET /api/datasets/files", { query }), staleTime: 60_000, retry: false };
}

/** The current result of a query. */
export const datasetResultQuery = (query: DatasetQuery) => ({
  ...routeQuery("POST /api/datasets/query", { body: query }),
  staleTime: FRESH_MS,
  placeholderData: keepPreviousData,
  structuralSharing: false,
  retry: false,
});

/** The current result of a query for a run: one in the request, or a saved one. It stays while the form is filled in. */
export const requestedSamplesQuery = ({ query, query_id: id = "" }: DatasetOfNewRun) => ({
  ...(query === undefined
    ? routeQuery("GET /api/dataset-queries/{query_id}/samples", { params: { query_id: id } }, "form")
    : routeQuery("POST /api/datasets/query", { body: query }, "form")),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
  retry: false,
});

/** Saves a new query, or a change of one. */
export function saveQuery(body: SaveDatasetQuery, old?: Pick<SavedDatasetQuery, "query_id" | "revision">) {
  if (old === undefined) return api("POST /api/dataset-queries", { body });
  return api("POST /api/dataset-queries/{query_id}", {
    params: { query_id: old.query_id },
    headers: { "if-match": `"${old.revision}"` },
    body,
  });
}
