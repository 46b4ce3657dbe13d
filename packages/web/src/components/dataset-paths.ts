import type { DatasetOfNewRun, DatasetQuery } from "@weft/shared/records/dataset-record.ts";

/** The page of a dataset. `network`: whose inputs a query should fill; "" for none. */
export function datasetPath(
  { location, pattern = "" }: Pick<DatasetQuery, "location" | "pattern">,
  network = "",
): string {
  const params = new URLSearchParams({ location });
  if (pattern !== "") params.set("pattern", pattern);
  if (network !== "") params.set("network", network);
  return `/dataset?${params.toString()}`;
}

/** The form of a network, filled with the samples of a saved query. */
export function savedQueryFormPath(network: string, queryId: string): string {
  return `/network/${network}?tab=run&query=${queryId}`;
}

/** A query for the form of a network, as navigation state. */
export interface QueryState {
  readonly datasetQuery: DatasetQuery;
  /** Names of the samples to use. Default: all samples that the query finds. */
  readonly samples?: readonly string[];
}

/** Reads the state of a navigation; undefined if this app did not write it. The server checks the query itself. */
export function readQueryState(state: unknown): DatasetOfNewRun | undefined {
  const { datasetQuery: query, samples } = (state as Partial<QueryState> | null) ?? {}; // the browser keeps such state across versions
  const isQuery = typeof query === "object" && typeof query.location === "string" && Array.isArray(query.columns);
  if (!isQuery) return undefined;
  const areNames = Array.isArray(samples) && samples.every((name) => typeof name === "string");
  return areNames ? { query, samples } : { query };
}
