import type { DatabaseSync } from "node:sqlite";

const STARTED = `SELECT data ->> '$.version' AS version FROM events WHERE type = 'server.started' ORDER BY seq DESC LIMIT 1`;

/** Version of the Weft that used a database last; undefined if it says nothing, or in tables of the future. */
export function programOf(db: DatabaseSync): string | undefined {
  try {
    const version = db.prepare(STARTED).get()?.["version"];
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
