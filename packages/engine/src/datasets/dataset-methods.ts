import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { hash, randomUUID } from "node:crypto";
import { Refusal } from "@weft/shared/records/refusal.ts";
import {
  type DatasetOfRequest,
  type DatasetOfRun,
  type DatasetQuery,
  type QueriedSample,
  type QueryResult,
  type SavedDatasetQuery,
  type SaveDatasetQuery,
  MAX_QUERIES,
} from "@weft/shared/records/dataset-record.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import { giveWay } from "../async/give-way.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { readQueries } from "./queries-table.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunRow } from "../journal/rows.ts";
import { timeText } from "../present/present-time.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { datasetTasks, ResultParts } from "./dataset-tasks.ts";
import type { Caller } from "../port/caller.ts";
import type { HashedText, RouteMethods } from "../port/route-methods.ts";
import type { FindSamples } from "../port/engine.ts";

interface DatasetParts {
  readonly journal: Journal;
  readonly catalog: Catalog;
  readonly reads: ReadPool;
}

const PAGE_SIZE = 200;

/**
 * Datasets in the data folders that the caller may read, and saved queries. Every runner may change every saved query;
 * the log records who did.
 */
export function datasetMethods(options: DatasetParts): RouteMethods {
  const { journal, reads } = options;
  const { ask } = reads.of<typeof datasetTasks>("datasets");
  const samples = async (caller: Caller, query: DatasetQuery) => hashed(await ask(caller, "datasetQuery", query));
  return {
    "GET /api/datasets": ({ caller }) => ask(caller, "datasets"),
    "GET /api/datasets/detail": ({ caller, query: folder }) => ask(caller, "dataset", folder),
    "GET /api/datasets/files": ({ caller, query: { from = 0, page_size: size = PAGE_SIZE, q = "", ...folder } }) =>
      ask(caller, "datasetFiles", { folder, from, size, q }),
    "POST /api/datasets/query": ({ caller, body }) => samples(caller, body),
    "GET /api/dataset-queries": ({ query: { network } }) => ({
      queries: readQueries(journal.read).savedQueries(network),
    }),
    "POST /api/dataset-queries": ({ caller, body }) => saveQuery(caller, { body }, options),
    "GET /api/dataset-queries/{query_id}": ({ params }) => requireQuery(params.query_id, journal),
    "POST /api/dataset-queries/{query_id}": ({ caller, params: { query_id: queryId }, revision, body }) =>
      saveQuery(caller, { body, replaces: { queryId, revision } }, options),
    "DELETE /api/dataset-queries/{query_id}": async ({ caller: { principal: actor }, params: { query_id } }) => {
      requireQuery(query_id, journal);
      await journal.append([{ type: "query.removed", run_id: null, actor, data: { query_id } }]);
    },
    "GET /api/dataset-queries/{query_id}/samples": ({ caller, params }) =>
      samples(caller, requireQuery(params.query_id, journal).query),
    "GET /api/runs/{run_id}/dataset": ({ caller, params }) => ({
      dataset: datasetOf(requireVisibleRun(journal.read, params.run_id, caller), journal),
    }),
  };
}

/** The query that gave a run its samples; null if none did. */
function datasetOf({ runId, createdMs }: RunRow, { read }: Journal): DatasetOfRun | null {
  const { dataset } = read.creation(runId);
  // An imported run has the event of another server, without the result.
  if (dataset === undefined || read.blobBytes(dataset.result) === 0) return null;
  const { query, query_id = null, name = null, result, asked_at = timeText(createdMs) } = dataset;
  // The log keeps the result as this service wrote it; a damaged log has an empty object.
  // Events cannot be changed; records may be.
  return {
    query: query as DatasetQuery,
    query_id,
    name,
    asked_at,
    result: parseExactJson(read.blobToShow(result)) as QueryResult,
  };
}

/** Samples for runs. */
export function samplesOf({ journal, reads }: DatasetParts): FindSamples {
  const { ask } = reads.of<typeof datasetTasks>("datasets");
  return async (caller, request) => {
    const saved = request.query_id === undefined ? undefined : requireQuery(request.query_id, journal);
    const query = saved?.query ?? requireGiven(request);
    return { query, saved, result: await joinResult(await ask(caller, "datasetQuery", query)) };
  };
}

function requireQuery(queryId: string, { read }: Journal): SavedDatasetQuery {
  const found = readQueries(read).savedQuery(queryId);
  if (found === undefined) throw new Refusal("not-found", `There is no saved query ${queryId}.`);
  return found;
}

function requireGiven({ query }: DatasetOfRequest): DatasetQuery {
  if (query === undefined) throw new Error("the declaration of the route lets only requests with a query pass");
  return query;
}

interface QueryChange {
  readonly body: SaveDatasetQuery;
  /** The query to replace, and the revision that the change is based on. */
  readonly replaces?: { readonly queryId: string; readonly revision: number } | undefined;
}

async function saveQuery(
  { principal: actor }: Caller,
  { body, replaces }: QueryChange,
  { journal, catalog }: DatasetParts,
): Promise<SavedDatasetQuery> {
  catalog.find("network", body.network, undefined);
  const old = replaces === undefined ? undefined : requireQuery(replaces.queryId, journal);
  if (old !== undefined && old.revision !== replaces?.revision) throw changed(old);
  if (old === undefined && readQueries(journal.read).savedQueries().length >= MAX_QUERIES)
    throw new Refusal("conflict", `The server has ${MAX_QUERIES} saved queries. Delete some first.`);
  const query_id = old?.query_id ?? randomUUID();
  const data = { query_id, revision: (old?.revision ?? 0) + 1, ...body };
  const [recorded] = await journal.append([{ type: "query.saved", run_id: null, actor, data }]);
  if (recorded !== null) return requireQuery(query_id, journal);
  const now = readQueries(journal.read).savedQuery(query_id);
  if (old !== undefined && now?.revision !== old.revision) throw changed(now ?? old);
  throw new Refusal("conflict", `The network ${body.network} already has a query "${body.name}".`);
}

function changed({ name, updated_by: by }: SavedDatasetQuery): Refusal {
  return new Refusal("precondition-failed", `${by} has changed the query "${name}" in the meantime. Load it again.`);
}

/** Parses one part after the other, so that a result of 20,000 samples blocks nobody. */
async function joinResult({ rest, samples }: ResultParts): Promise<QueryResult> {
  const joined: QueriedSample[] = [];
  for (const part of samples) {
    await giveWay();
    joined.push(...(parse(part) as QueriedSample[])); // the thread wrote it
  }
  return { ...(parse(rest) as Omit<QueryResult, "samples">), samples: joined }; // the thread wrote it
}

function parse(bytes: Uint8Array): unknown {
  return parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
}

/** The JSON of a result, without parsing it. */
function hashed({ rest, samples }: ResultParts): HashedText {
  const comma = Buffer.from(",");
  const lists = samples.flatMap((part, at) => [...(at === 0 ? [] : [comma]), part.subarray(1, -1)]);
  const bytes = Buffer.concat([rest.subarray(0, -1), Buffer.from(',"samples":['), ...lists, Buffer.from("]}")]);
  return { bytes, sha256: hash("sha256", bytes, "base64url") };
}
