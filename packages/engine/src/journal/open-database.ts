import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/**
 * How far a commit goes before it is called durable: `full` survives power loss (the server), `fast` survives the end
 * of the process (a run on the command line).
 */
export type Durability = "full" | "fast";

/** Opens the log for its one writer and brings its tables up to date. `path` may be `:memory:`. */
export function openForWriting(path: string, durability: Durability): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  db.exec("PRAGMA journal_mode = WAL");
  db.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "OFF"}`);
  db.exec("PRAGMA wal_autocheckpoint = 2000");
  migrate(db);
  return db;
}

/** Opens the log for reading beside the writer. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: 5000 });
}

function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `the state folder was written by a newer Weft (its version is ${version}, this one knows ${SCHEMA_VERSION})`,
    );
  }
  db.exec("BEGIN");
  if (version === 0) db.exec(SCHEMA);
  else for (let from = version; from < SCHEMA_VERSION; from += 1) bringForward(db, from);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

function bringForward(db: DatabaseSync, from: number): void {
  const migration = MIGRATIONS.get(from);
  if (migration === undefined) throw new Error(`there is no way from version ${from} of the state folder`);
  db.exec(migration.sql);
  migration.fill?.(db);
}
