import type { NewEvent } from "./journal-event.ts";
import type { Projection } from "./project-job.ts";

/** Saved queries of datasets. */
export const QUERY_TABLE = `
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

type Into = Pick<Projection, "sql" | "nowMs">;

/** False unless the revision is the next one, and for a name that another query of the network has. */
export function projectSavedQuery(
  { data, actor }: Extract<NewEvent, { type: "query.saved" }>,
  { sql, nowMs }: Into,
): boolean {
  const { query_id: id, network, name, query, revision } = data;
  const old = sql.get("SELECT revision FROM queries WHERE query_id = ?", id);
  if (Number(old?.["revision"] ?? 0) + 1 !== revision) return false;
  const same = sql.get("SELECT 1 FROM queries WHERE network = ? AND name = ? AND query_id <> ?", network, name, id);
  if (same !== undefined) return false;
  sql.run(
    "INSERT OR REPLACE INTO queries (query_id, network, name, query, revision, updated_ms, updated_by) VALUES (?, ?, ?, ?, ?, ?, ?)",
    id,
    network,
    name,
    JSON.stringify(query),
    revision,
    nowMs,
    actor,
  );
  return true;
}

export function projectRemovedQuery({ data }: Extract<NewEvent, { type: "query.removed" }>, { sql }: Into): boolean {
  if (sql.get("SELECT 1 FROM queries WHERE query_id = ?", data.query_id) === undefined) return false;
  sql.run("DELETE FROM queries WHERE query_id = ?", data.query_id);
  return true;
}
