import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { giveWay } from "../async/give-way.ts";
import { foldLog } from "./fold-log.ts";
import type { LogFeature } from "./log-feature.ts";
import { isFolded, programOf, versionOf } from "./open-database.ts";
import { foldedSchema, LOG_MIGRATIONS, LOG_TABLES, LOG_VERSION } from "./schema.ts";
import { StateFolderUnusable } from "./state-folder-unusable.ts";
import { storageProblemOf } from "./storage/storage-problem.ts";
import { errorText } from "../error-text.ts";

/** The time for which another program may lock the file at the start. */
const LOCKED_WAIT_MS = 5000;

export interface Rebuilt {
  readonly events: number;
  /** Numbers of damaged events, which the tables lack. */
  readonly unreadable: readonly number[];
}

export interface RebuildOptions {
  readonly features: readonly LogFeature[];
  /** Rebuilds the tables even if they are those of this version. */
  readonly always?: boolean;
  /** Called often, with the number of folded events and the total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Makes the tables of an existing log again from its events, if another version of Weft has made them. Everything happens in
 * one transaction, so that a crash or a full disk leaves the file as it was. Moves the write-ahead log of an earlier server
 * into the file and syncs it, because an earlier failed sync cannot be trusted. Rejects with StateFolderUnusable if this
 * Weft cannot use the file. Undefined if there was nothing to do.
 */
export async function rebuildTables(path: string, options: RebuildOptions): Promise<Rebuilt | undefined> {
  if (!existsSync(path)) return undefined;
  using db = await attempt(path, "cannot be opened", () => new DatabaseSync(path, { timeout: LOCKED_WAIT_MS }));
  const version = await attempt(path, "is not the database of a state folder", () => {
    checkpoint(db);
    return versionOf(db);
  });
  refuseNewer(db, path, version);
  if (version === 0 || (options.always !== true && isFolded(db, options.features))) return undefined;
  return await attempt(path, "is unchanged, because its tables cannot be rebuilt", () => rebuild(db, version, options));
}

/** A full disk may have no space for a checkpoint; a later one replaces it. */
function checkpoint(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (storageProblemOf(error, () => undefined) !== "full") throw error;
  }
}

/** Throws StateFolderUnusable for a database of a newer Weft. */
function refuseNewer(db: DatabaseSync, path: string, version: number): void {
  if (version <= LOG_VERSION) return;
  const program = programOf(db);
  const last = program === undefined ? "" : `; the last server here was Weft ${program}`;
  throw new StateFolderUnusable(
    `${path} was written by a newer version of Weft (log version ${version}; this version supports ${LOG_VERSION}${last}). ` +
      "Start that version, restore a backup from before the upgrade, or choose another state folder with --state.",
  );
}

/** Nothing else uses the connection meanwhile; the process answers signals. */
async function rebuild(db: DatabaseSync, version: number, { features, onProgress }: RebuildOptions): Promise<Rebuilt> {
  db.exec("BEGIN IMMEDIATE");
  for (let from = version; from < LOG_VERSION; from++) LOG_MIGRATIONS.get(from)?.(db);
  for (const table of foldedTables(db)) db.exec(`DROP TABLE IF EXISTS ${table}`);
  db.exec(foldedSchema(features));
  const unreadable: number[] = [];
  const events = Number(db.prepare("SELECT max(seq) AS seq FROM events").get()?.["seq"] ?? 0);
  for (const { seq, damaged } of foldLog(db, features)) {
    await giveWay();
    unreadable.push(...damaged);
    onProgress?.(seq, events);
  }
  db.exec(`PRAGMA user_version = ${LOG_VERSION}; COMMIT`);
  checkpoint(db);
  return { events, unreadable };
}

/** An index of texts removes its own tables. */
function foldedTables(db: DatabaseSync): readonly string[] {
  const kept = LOG_TABLES.map((table) => `'${table}'`).join();
  return db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (${kept}) AND name NOT LIKE 'sqlite_%'
         ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC`,
    )
    .all()
    .map((row) => String(row["name"]));
}

/** Turns an error of SQLite or the file system into a message about the file. */
async function attempt<Result>(path: string, problem: string, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw new StateFolderUnusable(
      `${path} ${problem}: ${errorText(error)}. Free disk space, close other programs that use it, or restore a backup.`,
      { cause: error },
    );
  }
}
