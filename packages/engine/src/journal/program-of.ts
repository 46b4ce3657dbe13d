import type { DatabaseSync } from "node:sqlite";

const STARTED = `SELECT data ->> '$.version' AS version FROM events WHERE type = 'server.started' ORDER BY seq DESC LIMIT 1`;

/**
 * The version of Weft that last used a database; undefined if it is not recorded, or if the tables are of a later
 * version.
 */
export function programOf(db: DatabaseSync): string | undefined {
  try {
    const version = db.prepare(STARTED).get()?.["version"];
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
