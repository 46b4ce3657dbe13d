import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StateFolderUnusable } from "./state-folder-unusable.ts";
import { versionOf } from "./open-database.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "./schema.ts";
import { troubleOf } from "./storage/storage-trouble.ts";

/** How long another program may hold the file at the start. */
const LOCKED_WAIT_MS = 5000;

/**
 * Brings the tables of an existing log to the version that this Weft knows: first a copy of the file as it was
 * (`weft.db.v<N>.bak`), then all steps in one transaction, so that a crash leaves the one version or the other. What an
 * earlier server left in the write-ahead log goes into the file, and is synced there: a sync that failed for it is not
 * believed. Throws StateFolderUnusable where this Weft cannot go on with the file.
 */
export function bringUpToDate(path: string): void {
  if (!existsSync(path)) return;
  using db = openExisting(path);
  const version = readVersion(db, path);
  if (version > SCHEMA_VERSION) {
    throw new StateFolderUnusable(
      `${path} was written by a newer Weft (its tables are version ${version}, this Weft knows ${SCHEMA_VERSION}). ` +
        "Start that version, or choose another state folder with --state.",
    );
  }
  if (version === 0 || version === SCHEMA_VERSION) return;
  keepCopy(db, path, version);
  migrate(db, path, version);
}

function openExisting(path: string): DatabaseSync {
  return attempt(path, "cannot be opened", () => new DatabaseSync(path, { timeout: LOCKED_WAIT_MS }));
}

function readVersion(db: DatabaseSync, path: string): number {
  return attempt(path, "cannot be read as the database of a state folder", () => {
    checkpoint(db);
    return versionOf(db);
  });
}

/** A full disk may have no room for it; then it comes later. */
function checkpoint(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (troubleOf(error, () => undefined) !== "full") throw error;
  }
}

function keepCopy(db: DatabaseSync, path: string, version: number): void {
  const copy = `${path}.v${version}.bak`;
  attempt(path, `must be brought up to date, and cannot be copied to ${copy} before`, () => {
    // What a start that was broken off has left.
    rmSync(`${copy}.partial`, { force: true });
    db.prepare("VACUUM INTO ?").run(`${copy}.partial`);
    sync(`${copy}.partial`);
    renameSync(`${copy}.partial`, copy);
    sync(dirname(copy));
  });
}

function migrate(db: DatabaseSync, path: string, version: number): void {
  const versions = Array.from({ length: SCHEMA_VERSION - version }, (_, index) => version + index);
  attempt(path, `cannot be brought up to date (its copy ${path}.v${version}.bak is whole)`, () => {
    db.exec("BEGIN IMMEDIATE");
    for (const from of versions) bringForward(db, from);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  });
}

function bringForward(db: DatabaseSync, from: number): void {
  const migration = MIGRATIONS.get(from);
  if (migration === undefined) throw new Error(`there is no way from version ${from} of the tables`);
  db.exec(migration.sql);
  migration.fill?.(db);
}

/** The error of the database or the system, as what is to be said about the file. */
function attempt<Result>(path: string, problem: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StateFolderUnusable(
      `${path} ${problem}: ${why}. Make room, close other programs that use it, or restore a backup.`,
      { cause: error },
    );
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
