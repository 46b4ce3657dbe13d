import { hash } from "node:crypto";
import type { EngineDatasets } from "@weft/engine/port/engine.ts";
import type { DatasetQuery, QueryResult, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { FakeRuns } from "./fake-runs.ts";

export const QUERY_ID = "019a9c5e-7b1a-4cc0-8000-000000000003";
export const LOCATION = "weft-data://study/";

export const QUERY: DatasetQuery = {
  location: LOCATION,
  per: ["sub"],
  where: [{ field: "suffix", op: "=", values: ["T1w"] }],
  columns: [{ kind: "file", name: "images" }],
};

const RESULT: QueryResult = {
  location: LOCATION,
  samples: [
    {
      name: "sub-01",
      columns: { images: { class: "File", location: `${LOCATION}sub-01/anat/sub-01_T1w.nii` } },
      bytes: 352,
      modified_at: "2026-11-23T12:00:00.000Z",
    },
  ],
  left_out: [{ kind: "sample", name: "sub-02", reason: "age is 54, not > 60" }],
  samples_left_out: 1,
  files_left_out: 0,
  files_used: 1,
};

/** One dataset and one saved query, which every change leaves at revision 1. */
export function fakeDatasets(runs: FakeRuns): EngineDatasets {
  const saved: SavedDatasetQuery = {
    ...{ query_id: QUERY_ID, name: "Elderly", network: "imaging-cohort", query: QUERY, revision: 1 },
    updated_at: "2026-11-23T12:00:00.000Z",
    updated_by: "local",
  };
  const savedQuery = (queryId: string) => {
    if (queryId !== QUERY_ID) throw new Refusal("not-found", `There is no query ${queryId}`);
    return saved;
  };
  const requireFolder = (location: string) => {
    if (location !== LOCATION) throw new Refusal("file-not-found", `There is no data folder at ${location}`);
  };
  const query = async (_caller: unknown, { location }: DatasetQuery) => {
    requireFolder(location);
    return RESULT;
  };
  return {
    list: async () => ({ datasets: [{ location: LOCATION, name: "study", kind: "bids" }], truncated: false }),
    detail: async (_caller, { location }) => {
      requireFolder(location);
      return {
        ...{ location, name: "study", kind: "bids", title: "Study", bids_version: "1.10.0", dataset_type: null },
        ...{ fields: [], subjects: 2, sessions: 0, files: 2, problems: [], problems_total: 0 },
      };
    },
    files: async (_caller, { location, from = 0 }) => {
      requireFolder(location);
      return { files: [{ path: "sub-01/anat/sub-01_T1w.nii", fields: { sub: "01" } }], from, total: 1 };
    },
    query,
    queryText: async (caller, asked) => {
      const bytes = Buffer.from(JSON.stringify(await query(caller, asked)));
      return { bytes, sha256: hash("sha256", bytes, "base64url") };
    },
    ofRequest: async () => ({ query: QUERY, saved: undefined, result: RESULT }),
    ofEarlier: () => undefined,
    ofRun: async (caller, runId) => {
      runs.get(caller, runId);
      return {
        query: QUERY,
        query_id: QUERY_ID,
        name: "Elderly",
        asked_at: "2026-11-01T12:00:00.000Z",
        result: RESULT,
      };
    },
    queries: () => [saved],
    savedQuery: (_caller, queryId) => savedQuery(queryId),
    save: async (_caller, { body, replaces }) => {
      if (replaces !== undefined && savedQuery(replaces.queryId).revision !== replaces.revision)
        throw new Refusal("precondition-failed", "The query has changed");
      return { ...saved, ...body };
    },
    removeQuery: async (_caller, queryId) => void savedQuery(queryId),
  };
}
