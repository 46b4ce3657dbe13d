import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
} from "node:fs";
import { mkdir, realpath, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { networkDisk } from "../files/network-disk.ts";
import { probeFolder, storageProblemOf } from "../journal/storage/storage-problem.ts";
import { StateFolderBusy, StateFolderUnusable } from "../journal/state-folder-unusable.ts";
import { randomUUID } from "node:crypto";
import { errorText } from "../error-text.ts";

/** The locations within a state folder; absolute paths. */
export interface StateFolder {
  readonly root: string;
  readonly database: string;
  readonly runs: string;
  readonly uploads: string;
  /** Documents that arrived through WES, each in a folder with its digest as the name. */
  readonly wesDocuments: string;
  /** Crates during import; created on demand. */
  readonly imports: string;
  /** Downloads. */
  readonly downloads: string;
  /** Drafts of tools and networks; created on demand. */
  readonly drafts: string;
  /** Addresses and secrets of subscriptions; created on demand. */
  readonly subscriptions: string;
  /** Secrets of open runs; created on demand. */
  readonly secrets: string;
  /** True if runs are on a local disk, which responds immediately. */
  readonly isNear: boolean;
  /** Releases the lock; the kernel does so when the process is killed. */
  unlock(): void;
}

/**
 * Creates the folder if needed, readable by its owner alone, and locks it for this process. Throws StateFolderUnusable
 * if another server holds it, or if it cannot store data reliably. `shared`: a folder visible to other machines, for
 * the files that jobs read and write.
 */
export async function openStateFolder(path: string, shared?: string): Promise<StateFolder> {
  const root = resolve(path);
  await makeFolder(root);
  await refuseUnreliable(root);
  const unlock = lock(root);
  try {
    if (shared !== undefined) sharePlaces(root, shared);
  } catch (error) {
    unlock();
    throw error;
  }
  const runs = await placeIn(root, "runs");
  const uploads = await placeIn(root, "uploads");
  const wesDocuments = await placeIn(root, "wes-documents");
  const downloads = await placeIn(root, "downloads");
  // Partial downloads of a killed server.
  await rm(join(downloads, "partial"), { recursive: true, force: true });
  const isNear = networkDisk((await statfs(runs)).type) === undefined;
  // A folder in it becomes the folder of a run by a rename, so both must be on the same disk.
  const imports = join(dirname(runs), "imports");
  // Every walk to a path checks for this folder while it is missing.
  await makeFolder(imports);
  return {
    ...{ root, runs, uploads, wesDocuments, imports, downloads, isNear, unlock },
    database: join(root, "weft.db"),
    drafts: join(root, "drafts"),
    secrets: join(root, "secrets"),
    subscriptions: join(root, "subscriptions"),
  };
}

/** Created if missing. Uses the real path, which other machines know: it may be a link to a shared folder. */
async function placeIn(root: string, name: string): Promise<string> {
  const path = join(root, name);
  await makeFolder(path);
  return realpath(path);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StateFolderUnusable(`the state folder ${path} cannot be created: ${sentenceOf(error)}`, { cause: error });
  }
}

async function refuseUnreliable(root: string): Promise<void> {
  const found = await stat(root);
  const uid = process.getuid?.();
  if (uid !== undefined && found.uid !== uid) {
    throw new StateFolderUnusable(
      `the state folder ${root} belongs to another user (${found.uid}; this is ${uid}). ` +
        "Start as that user, or choose another folder with --state.",
    );
  }
  if ((found.mode & 0o022) !== 0) {
    throw new StateFolderUnusable(
      `other users may write to the state folder ${root}, so they could run commands as you. Run: chmod go-w ${root}`,
    );
  }
  const disk = networkDisk((await statfs(root)).type);
  if (disk !== undefined) {
    throw new StateFolderUnusable(
      `the state folder ${root} is on ${disk}, where locks and syncs are unreliable. ` +
        "Choose a folder on a local disk with --state.",
    );
  }
  refuseReadOnly(root);
}

/** A full disk does not prevent the start: a server that serves existing data is better than none. */
function refuseReadOnly(root: string): void {
  const code = probeFolder(root);
  if (code === undefined || code === "ENOSPC" || code === "EDQUOT") return;
  throw new StateFolderUnusable(
    `the state folder ${root} is not writable (${code}). Check its permissions and how its disk is mounted, ` +
      "or choose another folder with --state.",
  );
}

function sentenceOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const isFile = code === "EEXIST" || code === "ENOTDIR";
  // Node's error for a read-only parent folder.
  const why = code === "ENOENT" ? "its parent folder is not writable" : errorText(error);
  return `${isFile ? "a file of that name already exists" : why}. Choose another folder with --state.`;
}

/**
 * SQLite's lock on a file next to the log: an open transaction holds it, so the kernel releases it with the process and
 * no stale lock file is left.
 */
function lock(root: string): () => void {
  const path = join(root, "lock.db");
  const holder = join(root, "holder.txt");
  closeSync(openSync(path, "a", 0o600));
  // Two servers that start at the same time each lock the file for a moment; without a timeout, each would take the other
  // for the holder.
  const db = new DatabaseSync(path, { timeout: 500 });
  try {
    db.exec("PRAGMA journal_mode = DELETE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, since TEXT)");
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    throw notLocked(error, root, holder);
  }
  noteHolder(holder);
  return () => db.close();
}

function notLocked(error: unknown, root: string, holder: string): StateFolderUnusable {
  const isHeld = storageProblemOf(error, () => undefined) === "locked";
  if (isHeld) {
    const message = `the state folder ${root} is in use by another Weft process (${readHolder(holder)})`;
    return new StateFolderBusy(message, { cause: error });
  }
  const message = `the state folder ${root} cannot be locked: ${errorText(error)}. Free disk space, or choose another folder with --state.`;
  return new StateFolderUnusable(message, { cause: error });
}

/** Writes the process id for a message of the next server; fails silently on a full disk. */
function noteHolder(path: string): void {
  try {
    writeFileSync(path, String(process.pid));
  } catch {
    rmSync(path, { force: true });
  }
}

function readHolder(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") || "unknown" : "unknown";
}

/** The folders with files of jobs, which cluster nodes must see under the same path. */
const SHARED = ["runs", "uploads", "wes-documents", "downloads"] as const;

/**
 * Moves files of jobs to a folder visible to other machines, and leaves the log on a disk on which it can be locked and
 * synced. The state folder contains links to it, so that it stays complete for readers, copies and checks. Each state
 * folder has its own folder in `shared`. Throws StateFolderUnusable if something is in the way.
 */
function sharePlaces(root: string, shared: string): void {
  const missing = SHARED.filter((name) => !isLink(join(root, name)));
  if (missing.length === 0) return;
  const place = placeOf(root) ?? join(resolve(shared), `weft-${randomUUID().slice(0, 8)}`);
  try {
    for (const name of missing) sharePlace(join(root, name), join(place, name));
  } catch (error) {
    if (error instanceof StateFolderUnusable) throw error;
    throw new StateFolderUnusable(`the shared folder ${shared} cannot be used: ${errorText(error)}`, { cause: error });
  }
}

function sharePlace(local: string, target: string): void {
  if (existsSync(local)) {
    if (readdirSync(local).length > 0)
      throw new StateFolderUnusable(
        `${local} contains files of runs that cluster nodes cannot see. Stop the server, move it to ${target} and put a link in its place, or use another --state.`,
      );
    rmdirSync(local);
  }
  mkdirSync(target, { recursive: true, mode: 0o700 });
  // An existing link is complete: a crash leaves it under its temporary name.
  const fresh = `${local}.${randomUUID().slice(0, 8)}`;
  symlinkSync(target, fresh);
  renameSync(fresh, local);
}

/** The shared folder that an earlier, interrupted start has chosen. */
function placeOf(root: string): string | undefined {
  const linked = SHARED.find((name) => isLink(join(root, name)));
  return linked === undefined ? undefined : resolve(realpathSync(join(root, linked)), "..");
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
