import type { DatasetQuery, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { EventOf, LogFeature } from "../journal/log-feature.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Projection } from "../journal/project-job.ts";
import { RowReader } from "../journal/row-reader.ts";
import { namedStatement, type Row } from "../journal/statements.ts";

const TABLE = `
CREATE TABLE queries (
  query_id TEXT PRIMARY KEY,
  network TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  revision INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX queries_by_name ON queries (network, name);
`;

/** Saved queries of datasets. */
export const SAVED_QUERIES: LogFeature = {
  tables: TABLE,
  folds: { "query.saved": saveQuery, "query.removed": removeQuery },
};

const SAVE = namedStatement(
  `INSERT OR REPLACE INTO queries (query_id, network, name, query, revision, updated_ms, updated_by)
   VALUES (:id, :network, :name, :query, :revision, :now_ms, :actor)`,
);

/** False unless the revision is the next one and no other query of the network has the name. */
function saveQuery({ data, actor }: EventOf<"query.saved">, { sql, nowMs }: Projection): boolean {
  const { query_id: id, network, name, query, revision } = data;
  const old = sql.get("SELECT revision FROM queries WHERE query_id = ?", id);
  if (Number(old?.["revision"] ?? 0) + 1 !== revision) return false;
  const same = sql.get("SELECT 1 FROM queries WHERE network = ? AND name = ? AND query_id <> ?", network, name, id);
  if (same !== undefined) return false;
  sql.write(SAVE, { id, network, name, query: JSON.stringify(query), revision, now_ms: nowMs, actor });
  return true;
}

function removeQuery({ data }: EventOf<"query.removed">, { sql }: Projection): boolean {
  if (sql.get("SELECT 1 FROM queries WHERE query_id = ?", data.query_id) === undefined) return false;
  sql.run("DELETE FROM queries WHERE query_id = ?", data.query_id);
  return true;
}

/** Replaces a query whose text is damaged. */
const NOTHING: DatasetQuery = { location: "weft-data://", per: ["path"], columns: [] };

function toSavedQuery(row: Row): SavedDatasetQuery {
  const columns = new RowReader(row);
  return {
    query_id: columns.text("query_id"),
    name: columns.text("name"),
    network: columns.text("network"),
    query: columns.json<DatasetQuery>("query", NOTHING),
    revision: columns.number("revision"),
    updated_at: new Date(columns.number("updated_ms")).toISOString(),
    updated_by: columns.text("updated_by"),
  };
}

export function readQueries({ sql }: Pick<LogReader, "sql">) {
  return {
    /** The saved queries, sorted by network and name. */
    savedQueries(network?: string): SavedDatasetQuery[] {
      return sql
        .all("SELECT * FROM queries WHERE network = coalesce(?, network) ORDER BY network, name", network ?? null)
        .map(toSavedQuery);
    },

    savedQuery(queryId: string): SavedDatasetQuery | undefined {
      const row = sql.get("SELECT * FROM queries WHERE query_id = ?", queryId);
      return row === undefined ? undefined : toSavedQuery(row);
    },
  };
}
