import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StateFolderUnusable } from "./state-folder-unusable.ts";
import { versionOf } from "./open-database.ts";
import { programOf } from "./program-of.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "./schema.ts";
import { storageProblemOf } from "./storage/storage-problem.ts";
import { errorText } from "../error-text.ts";

/** How long another program may lock the file at the start. */
const LOCKED_WAIT_MS = 5000;

/** A migration that was carried out. */
export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** Absolute path of the copy from before. */
  readonly copy: string;
}

/**
 * Migrates the tables of an existing log to the version of this Weft. First copies the file (`weft.db.v<N>.bak`), then
 * runs all steps in one transaction, so that a crash leaves one version or the other. Moves the write-ahead log of an
 * earlier server into the file and syncs it, because an earlier failed sync cannot be trusted. Throws
 * StateFolderUnusable if this Weft cannot use the file. Returns undefined if there was nothing to do.
 */
export function migrateDatabase(path: string): Migrated | undefined {
  if (!existsSync(path)) return undefined;
  using db = openExisting(path);
  const version = readVersion(db, path);
  refuseNewer(db, path, version);
  if (version === 0 || version === SCHEMA_VERSION) return undefined;
  const copy = copyPath(path, version);
  keepCopy(db, path, copy);
  attempt(path, `cannot be migrated (its copy ${copy} is intact)`, () => migrateTables(db, version));
  return { from: version, to: SCHEMA_VERSION, copy };
}

/** Where a copy of a database of that schema version is kept. */
export function copyPath(path: string, version: number): string {
  return `${path}.v${version}.bak`;
}

/** Throws StateFolderUnusable for a database of the future. */
export function refuseNewer(db: DatabaseSync, path: string, version: number): void {
  if (version <= SCHEMA_VERSION) return;
  const program = programOf(db);
  const last = program === undefined ? "" : `; the last server here was Weft ${program}`;
  throw new StateFolderUnusable(
    `${path} was written by a newer version of Weft (schema version ${version}; this version supports ${SCHEMA_VERSION}${last}). ` +
      "Start that version, return to this one with that version's `weft migrate --undo`, or choose another state folder with --state.",
  );
}

/** From a schema version to the newest, in one transaction. */
export function migrateTables(db: DatabaseSync, version: number): void {
  db.exec("BEGIN IMMEDIATE");
  for (let from = version; from < SCHEMA_VERSION; from++) applyMigration(db, from);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

function openExisting(path: string): DatabaseSync {
  return attempt(path, "cannot be opened", () => new DatabaseSync(path, { timeout: LOCKED_WAIT_MS }));
}

function readVersion(db: DatabaseSync, path: string): number {
  return attempt(path, "is not the database of a state folder", () => {
    checkpoint(db);
    return versionOf(db);
  });
}

/** A full disk may have no space for it; then it is created later. */
function checkpoint(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (storageProblemOf(error, () => undefined) !== "full") throw error;
  }
}

function keepCopy(db: DatabaseSync, path: string, copy: string): void {
  attempt(path, `must be migrated, but cannot be copied to ${copy} first`, () => {
    // The files that an interrupted start left behind.
    rmSync(`${copy}.partial`, { force: true });
    db.prepare("VACUUM INTO ?").run(`${copy}.partial`);
    sync(`${copy}.partial`);
    renameSync(`${copy}.partial`, copy);
    sync(dirname(copy));
  });
}

function applyMigration(db: DatabaseSync, from: number): void {
  const migration = MIGRATIONS.get(from);
  if (migration === undefined) throw new Error(`there is no migration from schema version ${from}`);
  db.exec(migration.sql);
  migration.fill?.(db);
}

/** Turns an error of the database or the system into a message about the file. */
function attempt<Result>(path: string, problem: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const why = errorText(error);
    throw new StateFolderUnusable(
      `${path} ${problem}: ${why}. Free disk space, close other programs that use it, or restore a backup.`,
      { cause: error },
    );
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
