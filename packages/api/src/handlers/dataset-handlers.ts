import type { SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { hashedAnswer } from "../http/hashed-answer.ts";
import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type DatasetHandlers = Pick<
  Handlers,
  | "GET /api/datasets"
  | "GET /api/datasets/detail"
  | "GET /api/datasets/files"
  | "POST /api/datasets/query"
  | "GET /api/dataset-queries"
  | "POST /api/dataset-queries"
  | "GET /api/dataset-queries/{query_id}"
  | "POST /api/dataset-queries/{query_id}"
  | "DELETE /api/dataset-queries/{query_id}"
  | "GET /api/dataset-queries/{query_id}/samples"
  | "GET /api/runs/{run_id}/dataset"
>;

/** Datasets and their queries. */
export function createDatasetHandlers({ engine: { datasets } }: ServerParts): DatasetHandlers {
  return {
    "GET /api/datasets": async ({ caller }) => ({ status: 200, body: await datasets.list(caller) }),
    "GET /api/datasets/detail": async ({ caller, query }) => ({
      status: 200,
      body: await datasets.detail(caller, query),
    }),
    "GET /api/datasets/files": async ({ caller, query }) => ({
      status: 200,
      body: await datasets.files(caller, query),
    }),
    "POST /api/datasets/query": async ({ caller, body }) => hashedAnswer(await datasets.queryText(caller, body)),
    "GET /api/dataset-queries": ({ caller, query }) => ({
      status: 200,
      body: { queries: datasets.queries(caller, query.network) },
    }),
    "POST /api/dataset-queries": async ({ caller, body }) => {
      const saved = await datasets.save(caller, { body });
      const headers = { Location: `${caller.links.base}/api/dataset-queries/${saved.query_id}` };
      return { status: 201, body: saved, headers, entityTag: tagOf(saved) };
    },
    "GET /api/dataset-queries/{query_id}": ({ caller, params }) => {
      const saved = datasets.savedQuery(caller, params.query_id);
      return { status: 200, body: saved, entityTag: tagOf(saved) };
    },
    "POST /api/dataset-queries/{query_id}": async ({ caller, params, headers, body }) => {
      const replaces = { queryId: params.query_id, revision: revisionOf(headers) };
      const saved = await datasets.save(caller, { body, replaces });
      return { status: 200, body: saved, entityTag: tagOf(saved) };
    },
    "DELETE /api/dataset-queries/{query_id}": async ({ caller, params }) => {
      await datasets.removeQuery(caller, params.query_id);
      return { status: 204, body: undefined };
    },
    "GET /api/dataset-queries/{query_id}/samples": async ({ caller, params }) => {
      const { query } = datasets.savedQuery(caller, params.query_id);
      return hashedAnswer(await datasets.queryText(caller, query));
    },
    "GET /api/runs/{run_id}/dataset": async ({ caller, params }) => ({
      status: 200,
      body: { dataset: await datasets.ofRun(caller, params.run_id) },
    }),
  };
}

function tagOf({ revision }: Pick<SavedDatasetQuery, "revision">): string {
  return `"${revision}"`;
}

/** The declaration of the route has checked the form of the header. */
function revisionOf(headers: { readonly "if-match": string }): number {
  return Number(headers["if-match"].slice(1, -1));
}
