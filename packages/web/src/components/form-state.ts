// The state of navigations to the form of a run. The browser keeps it across reloads and versions of the app.
import type { DatasetOfNewRun, DatasetQuery } from "@weft/shared/records/dataset-record.ts";

/** A query for the form of a network. */
export interface QueryState {
  readonly datasetQuery: DatasetQuery;
  /** Names of the samples to use. Default: all samples that the query finds. */
  readonly samples?: readonly string[];
}

/** Reads the state of a navigation; undefined if this app did not write it. The server checks the query itself. */
export function readQueryState(state: unknown): DatasetOfNewRun | undefined {
  const { datasetQuery: query, samples } = (state as Partial<QueryState> | null) ?? {}; // each part is checked below
  const isQuery = typeof query === "object" && typeof query.location === "string" && Array.isArray(query.columns);
  if (!isQuery) return undefined;
  const areNames = Array.isArray(samples) && samples.every((name) => typeof name === "string");
  return areNames ? { query, samples } : { query };
}

/** Samples to leave out of the inputs of an earlier run. */
export interface LeftOutSamples {
  readonly leftOut: {
    readonly names: readonly string[];
    /** The samples' positions in the lists of the inputs. */
    readonly indexes: readonly number[];
  };
}

/** Reads the state of a navigation; undefined if this app did not write it. */
export function readLeftOut(state: unknown): LeftOutSamples["leftOut"] | undefined {
  const { names, indexes } = (state as Partial<LeftOutSamples> | null)?.leftOut ?? {}; // as above
  const areNames = Array.isArray(names) && names.every((name) => typeof name === "string");
  const areIndexes = Array.isArray(indexes) && indexes.every((index) => typeof index === "number");
  return areNames && areIndexes ? { names, indexes } : undefined;
}
