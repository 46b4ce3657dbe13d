import { DatabaseSync } from "node:sqlite";
import type { LogFeature } from "./log-feature.ts";
import { foldedSchema, foldMarks, LOG_SCHEMA, LOG_VERSION } from "./schema.ts";

/**
 * When a commit counts as durable: `full` survives power loss (the server), `fast` survives the end of the process (a
 * run on the command line).
 */
export type Durability = "full" | "fast";

/** SQLite itself waits this short time for a lock; beyond that, the writer decides who waits. */
const BUSY_MS = 250;

/** Opens the log for its only writer; creates the tables of a new file. `path` may be `:memory:`. */
export function openForWriting(
  path: string,
  durability: Durability,
  features: readonly LogFeature[] = [],
): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  prepareForWriting(db, durability, features);
  return db;
}

/** Settings of the writer's connection, and the tables of a new file. */
export function prepareForWriting(db: DatabaseSync, durability: Durability, features: readonly LogFeature[]): void {
  db.exec("PRAGMA journal_mode = WAL");
  db.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "OFF"}`);
  db.exec("PRAGMA wal_autocheckpoint = 2000");
  if (versionOf(db) === 0)
    db.exec(`BEGIN; ${LOG_SCHEMA}${foldedSchema(features)} PRAGMA user_version = ${LOG_VERSION}; COMMIT;`);
}

/** Opens the log for reading in addition to the writer. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: 5000 });
}

/** The version of the log; 0: none. */
export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

/** Whether this version of Weft can read the log, and made its tables, including those of the features. */
export function isFolded(db: DatabaseSync, features: readonly LogFeature[] = []): boolean {
  if (versionOf(db) !== LOG_VERSION) return false;
  const isMarked = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'folded'").get() !== undefined;
  const hasMark = (mark: string) => db.prepare("SELECT 1 FROM folded WHERE fold = ?").get(mark) !== undefined;
  return isMarked && foldMarks(features).every(hasMark);
}

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
