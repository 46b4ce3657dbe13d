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
import { probeFolder, troubleOf } from "../journal/storage/storage-trouble.ts";
import { StateFolderBusy, StateFolderUnusable } from "../journal/state-folder-unusable.ts";
import { randomUUID } from "node:crypto";

/** The places within a state folder; absolute paths. */
export interface StateFolder {
  readonly root: string;
  readonly database: string;
  readonly runs: string;
  readonly uploads: string;
  /** Crates while they are checked; made where there are any. */
  readonly imports: string;
  /** Copies of files of the web. */
  readonly downloads: string;
  /** Secrets of open runs; made where there are any. */
  readonly secrets: string;
  /** Whether runs lie on a disk of this machine, which answers at once. */
  readonly isNear: boolean;
  /** Gives the folder back; the kernel does it when the process is killed. */
  unlock(): void;
}

/**
 * Makes the folder where it is missing, readable for its owner alone, and takes it for this process. Throws
 * StateFolderUnusable where another server has it, or where what is written there could not be relied upon. `shared`: a folder
 * that other machines see, for what jobs read and write.
 */
export async function openStateFolder(path: string, shared?: string): Promise<StateFolder> {
  const root = resolve(path);
  await makeFolder(root);
  await refuseUnreliable(root);
  const unlock = lock(root);
  if (shared !== undefined) shareOrUnlock({ root, shared, unlock });
  const runs = await placeIn(root, "runs");
  const uploads = await placeIn(root, "uploads");
  const downloads = await placeIn(root, "downloads");
  // What a server that was killed had begun to fetch.
  await rm(join(downloads, "partial"), { recursive: true, force: true });
  const isNear = networkDisk((await statfs(runs)).type) === undefined;
  const [database, secrets] = [join(root, "weft.db"), join(root, "secrets")];
  // What is laid out there becomes the folder of a run, which it can on the same disk alone.
  const imports = join(dirname(runs), "imports");
  return { root, database, runs, uploads, imports, downloads, secrets, isNear, unlock };
}

function shareOrUnlock({ root, shared, unlock }: { root: string; shared: string; unlock: () => void }): void {
  let isDone = false;
  try {
    sharePlaces(root, shared);
    isDone = true;
  } finally {
    if (!isDone) unlock();
  }
}

/** Made where it is missing. By its real path, which other machines know: it may be a link to a folder that they share. */
async function placeIn(root: string, name: string): Promise<string> {
  const path = join(root, name);
  await makeFolder(path);
  return realpath(path);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StateFolderUnusable(`the state folder ${path} cannot be made: ${sentenceOf(error)}`, { cause: error });
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
      `other users may write into the state folder ${root}: whoever does runs commands as you. Say: chmod go-w ${root}`,
    );
  }
  const disk = networkDisk((await statfs(root)).type);
  if (disk !== undefined) {
    throw new StateFolderUnusable(
      `the state folder ${root} lies on ${disk}, where locks and syncs cannot be relied upon. ` +
        "Choose a folder on a disk of this machine with --state.",
    );
  }
  refuseReadOnly(root);
}

/** A full disk is none of its concern: a server that serves what is there is better than none. */
function refuseReadOnly(root: string): void {
  const code = probeFolder(root);
  if (code === undefined || code === "ENOSPC" || code === "EDQUOT") return;
  throw new StateFolderUnusable(
    `the state folder ${root} cannot be written (${code}). See its permissions and how its disk is mounted, ` +
      "or choose another folder with --state.",
  );
}

function sentenceOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const isFile = code === "EEXIST" || code === "ENOTDIR";
  // What Node says of a folder above that is read-only.
  const why = code === "ENOENT" ? "the folder above it cannot be written" : String(error);
  return `${isFile ? "there is a file of that name" : why}. Choose another folder with --state.`;
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
  } catch (error) {
    db.close();
    throw notLocked(error, root, holder);
  }
  noteHolder(holder);
  return () => db.close();
}

function notLocked(error: unknown, root: string, holder: string): StateFolderUnusable {
  const isHeld = troubleOf(error, () => undefined) === "locked";
  if (isHeld) {
    const message = `the state folder ${root} is held by another Weft server (process ${readHolder(holder)})`;
    return new StateFolderBusy(message, { cause: error });
  }
  const message = `the state folder ${root} cannot be locked: ${String(error)}. Make room, or choose another folder with --state.`;
  return new StateFolderUnusable(message, { cause: error });
}

/** For the message of the next one; a full disk has no room for it. */
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

/** What jobs read and write: nodes of a cluster must see these under the same path. */
const SHARED = ["runs", "uploads", "downloads"] as const;

/**
 * Puts what jobs read and write into a folder that other machines see too, and leaves the log where it can be locked and synced.
 * The state folder holds links to them, so that it is still whole for whoever reads, copies or checks it. Each state
 * folder has a place of its own in `shared`. Throws StateFolderUnusable where something lies in the way.
 */
function sharePlaces(root: string, shared: string): void {
  const missing = SHARED.filter((name) => !isLink(join(root, name)));
  if (missing.length === 0) return;
  const place = placeOf(root) ?? join(resolve(shared), `weft-${randomUUID().slice(0, 8)}`);
  try {
    for (const name of missing) sharePlace(join(root, name), join(place, name));
  } catch (error) {
    if (error instanceof StateFolderUnusable) throw error;
    throw new StateFolderUnusable(`the shared folder ${shared} cannot be used: ${String(error)}`, { cause: error });
  }
}

function sharePlace(local: string, target: string): void {
  if (existsSync(local)) {
    if (readdirSync(local).length > 0)
      throw new StateFolderUnusable(
        `${local} holds files of runs that nodes do not see. Stop the server, move it to ${target} and put a link there, or begin with another --state.`,
      );
    rmdirSync(local);
  }
  mkdirSync(target, { recursive: true, mode: 0o700 });
  // A link that is there is whole: a crash leaves it under its first name.
  const fresh = `${local}.${randomUUID().slice(0, 8)}`;
  symlinkSync(target, fresh);
  renameSync(fresh, local);
}

/** Where an earlier start, which did not come to its end, has put the others. */
function placeOf(root: string): string | undefined {
  const linked = SHARED.find((name) => isLink(join(root, name)));
  return linked === undefined ? undefined : resolve(realpathSync(join(root, linked)), "..");
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
