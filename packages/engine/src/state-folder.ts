import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The places within a state folder; absolute paths. */
export interface StateFolder {
  readonly root: string;
  readonly database: string;
  readonly runs: string;
  readonly uploads: string;
  /** Copies of files of the web. */
  readonly downloads: string;
  /** Secrets of open runs; made where there are any. */
  readonly secrets: string;
  /** Gives the folder back; the kernel does it when the process is killed. */
  unlock(): void;
}

/** Thrown when another server holds the folder. */
export class StateFolderBusy extends Error {}

/** Makes the folder where it is missing, readable for its owner alone, and takes it for this process. */
export async function openStateFolder(path: string): Promise<StateFolder> {
  const root = resolve(path);
  await mkdir(root, { recursive: true, mode: 0o700 });
  await refuseForeign(root);
  const runs = join(root, "runs");
  const uploads = join(root, "uploads");
  await mkdir(runs, { recursive: true, mode: 0o700 });
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const unlock = lock(root);
  const downloads = join(root, "downloads");
  // What a server that was killed had begun to fetch.
  await rm(join(downloads, "partial"), { recursive: true, force: true });
  return { root, database: join(root, "weft.db"), runs, uploads, downloads, secrets: join(root, "secrets"), unlock };
}

async function refuseForeign(root: string): Promise<void> {
  const found = await stat(root);
  if (process.getuid !== undefined && found.uid !== process.getuid())
    throw new Error(`the state folder ${root} belongs to another user`);
  if ((found.mode & 0o022) !== 0) await chmod(root, found.mode & 0o7755);
}

/**
 * SQLite's own lock on a file beside the log: held by an open transaction, so that the kernel frees it with the process and
 * no stale lock file is ever left behind.
 */
function lock(root: string): () => void {
  const path = join(root, "lock.db");
  const holder = join(root, "holder.txt");
  closeSync(openSync(path, "a", 0o600));
  // Two that start at once touch the file for a moment each; without patience both would take the other for the holder.
  const db = new DatabaseSync(path, { timeout: 500 });
  try {
    db.exec("PRAGMA journal_mode = DELETE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, since TEXT)");
    db.exec("BEGIN EXCLUSIVE");
  } catch {
    db.close();
    throw new StateFolderBusy(
      `the state folder ${root} is held by another Weft server (process ${readHolder(holder)})`,
    );
  }
  writeFileSync(holder, String(process.pid));
  return () => db.close();
}

function readHolder(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "unknown";
}
