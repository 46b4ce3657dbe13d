import type { DatasetQuery, SavedDatasetQuery, SaveDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import type { Caller } from "../port/caller.ts";
import type { Engine } from "../port/engine.ts";
import { ask } from "./ask-engine.ts";

interface QueryChange {
  readonly body: SaveDatasetQuery;
  readonly replaces?: { readonly queryId: string; readonly revision: number };
}

/** Asks the methods about datasets by short names. */
export function datasetsOf(engine: Engine) {
  return {
    list: (caller: Caller) => ask(engine, "GET /api/datasets", { caller }),
    detail: (caller: Caller, query: RouteQuery<"GET /api/datasets/detail">) =>
      ask(engine, "GET /api/datasets/detail", { caller, query }),
    files: (caller: Caller, query: RouteQuery<"GET /api/datasets/files">) =>
      ask(engine, "GET /api/datasets/files", { caller, query }),
    query: (caller: Caller, body: DatasetQuery) => ask(engine, "POST /api/datasets/query", { caller, body }),
    save: (caller: Caller, { body, replaces }: QueryChange): Promise<SavedDatasetQuery> => {
      if (replaces === undefined) return ask(engine, "POST /api/dataset-queries", { caller, body });
      const { queryId: query_id, revision } = replaces;
      return ask(engine, "POST /api/dataset-queries/{query_id}", { caller, params: { query_id }, revision, body });
    },
    removeQuery: (caller: Caller, query_id: string) =>
      ask(engine, "DELETE /api/dataset-queries/{query_id}", { caller, params: { query_id } }),
    queries: async (caller: Caller, network: string) =>
      (await ask(engine, "GET /api/dataset-queries", { caller, query: { network } })).queries,
    ofRun: async (caller: Caller, run_id: string) =>
      (await ask(engine, "GET /api/runs/{run_id}/dataset", { caller, params: { run_id } })).dataset,
  };
}
