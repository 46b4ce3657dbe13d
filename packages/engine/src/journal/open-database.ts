import { DatabaseSync } from "node:sqlite";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/**
 * How far a commit goes before it is called durable: `full` survives power loss (the server), `fast` survives the end
 * of the process (a run on the command line).
 */
export type Durability = "full" | "fast";

/** A short wait of SQLite's own for whoever else has the file; beyond, the writer decides who waits. */
const BUSY_MS = 250;

/** Opens the log for its one writer; a new file is given its tables. `path` may be `:memory:`. */
export function openForWriting(path: string, durability: Durability): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  db.exec("PRAGMA journal_mode = WAL");
  db.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "OFF"}`);
  db.exec("PRAGMA wal_autocheckpoint = 2000");
  if (versionOf(db) === 0) db.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
  return db;
}

/** Opens the log for reading beside the writer. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: 5000 });
}

/** Which version of the tables the file has; 0: none. */
export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}
