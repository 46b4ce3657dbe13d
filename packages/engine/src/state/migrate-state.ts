import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyPath, migrateDatabase, migrateTables, refuseNewer } from "../journal/migrate-database.ts";
import type { Migrated } from "../journal/migrate-database.ts";
import { openForReading, versionOf } from "../journal/open-database.ts";
import { programOf } from "../journal/program-of.ts";
import { SCHEMA_VERSION } from "../journal/schema.ts";
import { StateFolderUnusable } from "../journal/state-folder-unusable.ts";
import { openStateFolder } from "./state-folder.ts";
import { errorText } from "../error-text.ts";

// Migrations on demand: a server migrates its folder when it starts. All of them throw StateFolderUnusable.

export interface MigrationTrial {
  readonly from: number;
  readonly to: number;
  /** Version of the Weft that used the folder last. */
  readonly program: string | undefined;
  readonly events: number;
  readonly runs: number;
  readonly bytes: number;
  /** Undefined: the folder needs no migration. */
  readonly durationMs: number | undefined;
}

/** Migrates a copy of the log next to it, checks it and removes it. The folder may be in use. */
export function tryMigration(stateFolder: string): MigrationTrial {
  const path = databaseOf(stateFolder);
  using db = open(path);
  const from = versionOf(db);
  refuseNewer(db, path, from);
  const counts = countsOf(db);
  const facts = { from, to: SCHEMA_VERSION, program: programOf(db), bytes: statSync(path).size, ...counts };
  if (from === SCHEMA_VERSION) return { ...facts, durationMs: undefined };
  const startMs = performance.now();
  const copy = `${path}.trial-${process.pid}`;
  try {
    db.prepare("VACUUM INTO ?").run(copy);
    checkMigrated(copy, from, counts);
  } catch (error) {
    throw new StateFolderUnusable(`the migration of ${path} would fail: ${errorText(error)}. Nothing was changed.`, {
      cause: error,
    });
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(`${copy}${suffix}`, { force: true });
  }
  return { ...facts, durationMs: Math.round(performance.now() - startMs) };
}

/** Undefined if the folder needs no migration. Refuses a folder that a server uses. */
export async function migrateState(stateFolder: string): Promise<Migrated | undefined> {
  databaseOf(stateFolder);
  const folder = await openStateFolder(stateFolder);
  try {
    return migrateDatabase(folder.database);
  } finally {
    folder.unlock();
  }
}

export interface Undone {
  readonly version: number;
  readonly events: number;
  /** Absolute path of the database that was in use; it contains what happened since the migration. */
  readonly newer: string;
}

/** Puts the copy from before the last migration in place of the database. Refuses a folder that a server uses. */
export async function undoMigration(stateFolder: string): Promise<Undone> {
  databaseOf(stateFolder);
  const folder = await openStateFolder(stateFolder);
  try {
    return putBack(folder.database);
  } finally {
    folder.unlock();
  }
}

function putBack(path: string): Undone {
  const current = closeAll(path);
  const copy = newestCopy(path, current);
  if (copy === undefined)
    throw new StateFolderUnusable(
      `there is no copy of ${path} from before a migration (${copyPath(path, 1)} or later)`,
    );
  const { version, events } = checkedCopy(copy);
  const newer = `${path}.v${current}.undone`;
  rmSync(newer, { force: true });
  // A link: there is a database at every moment, because a server would make a new one.
  linkSync(path, newer);
  renameSync(copy, path);
  return { version, events, newer };
}

/** The schema version. Moves the write-ahead log into the file: an older database must not find it. */
function closeAll(path: string): number {
  using db = new DatabaseSync(path, { timeout: 5000 });
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return versionOf(db);
}

function newestCopy(path: string, below: number): string | undefined {
  const copies = readdirSync(join(path, "..")).flatMap((name) => {
    const version = Number(/^weft\.db\.v(\d+)\.bak$/.exec(name)?.[1]);
    return version < below ? [version] : [];
  });
  return copies.length === 0 ? undefined : copyPath(path, Math.max(...copies));
}

function checkedCopy(copy: string): { readonly version: number; readonly events: number } {
  using db = openForReading(copy);
  const found = String(db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"]);
  if (found !== "ok")
    throw new StateFolderUnusable(`${copy} is damaged: ${found}. Restore a backup with weft restore.`);
  return { version: versionOf(db), events: countsOf(db).events };
}

function checkMigrated(copy: string, from: number, before: Counts): void {
  using db = new DatabaseSync(copy);
  migrateTables(db, from);
  const found = String(db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"]);
  const after = countsOf(db);
  if (found !== "ok") throw new Error(`the migrated copy is damaged: ${found}`);
  if (after.events !== before.events || after.runs !== before.runs)
    throw new Error(`the migrated copy has ${after.events} events and ${after.runs} runs`);
}

interface Counts {
  readonly events: number;
  readonly runs: number;
}

function countsOf(db: DatabaseSync): Counts {
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
  return { events: count("events"), runs: count("runs") };
}

function databaseOf(stateFolder: string): string {
  const path = join(resolve(stateFolder), "weft.db");
  if (existsSync(path)) return path;
  throw new StateFolderUnusable(`there is no Weft state folder at ${resolve(stateFolder)} (weft.db is missing)`);
}

function open(path: string): DatabaseSync {
  try {
    const db = openForReading(path);
    versionOf(db);
    return db;
  } catch (error) {
    throw new StateFolderUnusable(`${path} cannot be read: ${errorText(error)}`, { cause: error });
  }
}
