import { existsSync, type Stats } from "node:fs";
import { mkdir, open, rename, rm, readdir, link, type FileHandle } from "node:fs/promises";
import { dirname, join, resolve, basename, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openForReading } from "../journal/open-database.ts";
import { BackupRefused, DATABASE, MANIFEST, type BackupEntry } from "./backup-entry.ts";
import { copyHashed } from "./copy-hashed.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { openTrustedFolder, type OpenFolder } from "../files/beneath/open-folder.ts";
import { runLater } from "../files/beneath/steps.ts";
import { isBelow } from "../files/is-below.ts";
import { syncToDisk } from "../files/write-durably.ts";

export interface BackupOptions {
  readonly stateFolder: string;
  /** A folder that does not exist yet. */
  readonly target: string;
  /** Uploads and run files, next to the log. */
  readonly withFiles: boolean;
  readonly version: string;
}

export interface BackupReport {
  readonly lastSeq: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies a state folder while its server is running. Copies a snapshot of the log first, and then only the files that
 * this log lists as finished, because those never change. The target appears only once it is complete and durable.
 */
export async function backUpState(options: BackupOptions): Promise<BackupReport> {
  const root = resolve(options.stateFolder);
  const target = resolve(options.target);
  if (!existsSync(join(root, DATABASE))) throw new BackupRefused(`there is no Weft state folder at ${root}`);
  if (existsSync(target)) throw new BackupRefused(`${target} already exists; choose a new folder`);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const report = await fill(partial, root, options);
    await rename(partial, target);
    await syncToDisk(dirname(target));
    return report;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function fill(partial: string, root: string, { withFiles, version }: BackupOptions): Promise<BackupReport> {
  const snapshot = join(partial, "snapshot.db");
  takeSnapshot(join(root, DATABASE), snapshot);
  await using manifest = await open(join(partial, MANIFEST), "wx", 0o600);
  const written = { entries: 0, files: 0, bytes: 0 };
  const write = async (entry: BackupEntry) => {
    written.entries += 1;
    if (entry.kind === "file") {
      written.files += 1;
      written.bytes += entry.size;
    }
    await writeLine(manifest, entry);
  };
  using db = new DatabaseSync(snapshot, { readOnly: true });
  const lastSeq = Number(db.prepare("SELECT max(seq) AS seq FROM events").get()?.["seq"] ?? 0);
  const created = new Date().toISOString();
  await write({ kind: "backup", format: 1, version, created, last_seq: lastSeq, with_files: withFiles });
  const copied = await copyHashed(snapshot, join(partial, DATABASE), 0o600);
  await write({ kind: "file", path: DATABASE, mode: 0o600, ...copied });
  const copy = new TreeCopy({ from: root, to: partial, write });
  // The file only grows. If a line is being written during the copy, the copy ends in a partial line, which the server
  // cuts off.
  if (existsSync(join(root, "audit"))) await copy.add("audit");
  if (existsSync(join(root, "drafts"))) await copy.add("drafts");
  if (withFiles) {
    for await (const path of filesToKeep(root, db)) await copy.add(path);
  }
  await writeLine(manifest, { kind: "end", entries: written.entries });
  await manifest.sync();
  await rm(snapshot);
  return { lastSeq, files: written.files, bytes: written.bytes };
}

/** SQLite's own method for copying a database in use: a consistent snapshot without deleted data. */
function takeSnapshot(database: string, snapshot: string): void {
  using db = openForReading(database);
  db.prepare("VACUUM INTO ?").run(snapshot);
}

async function writeLine(manifest: FileHandle, entry: BackupEntry): Promise<void> {
  await manifest.appendFile(`${JSON.stringify(entry)}\n`);
}

/**
 * Paths below the state folder that the log in `db` lists as finished: uploads, attempts of ended jobs, outputs of
 * ended runs, and WES documents. Leaves out running attempts: their jobs run again after a restore.
 */
async function* filesToKeep(root: string, db: DatabaseSync): AsyncGenerator<string> {
  // A dot in the name marks an upload that is still arriving.
  for (const name of await names(root, "uploads")) if (!name.startsWith(".")) yield join("uploads", name);
  for (const name of await names(root, "wes-documents")) if (!name.startsWith(".")) yield join("wes-documents", name);
  const jobs = db.prepare("SELECT job_id, attempt, state FROM jobs WHERE run_id = ?");
  for (const { run_id: id, state } of db.prepare("SELECT run_id, state FROM runs").iterate()) {
    const run = join("runs", String(id));
    const ended = isFinal(String(state) as RunState); // written by the log itself
    // There may be folders of jobs that are not in the copied log.
    const done = new Set(
      jobs
        .all(String(id))
        .filter((job) => isFinal(String(job["state"]) as RunState))
        .map((job) => String(job["job_id"])),
    );
    for (const name of await names(root, run))
      if (name !== "jobs" && (ended || name !== "outputs")) yield join(run, name);
    for (const name of await names(root, run, "jobs"))
      if (done.has(name.slice(0, name.lastIndexOf("@")))) yield join(run, "jobs", name);
  }
}

async function names(...path: string[]): Promise<readonly string[]> {
  return (await readdir(join(...path)).catch(undefinedIfMissing)) ?? [];
}

interface TreeCopyOptions {
  readonly from: string;
  readonly to: string;
  readonly write: (entry: BackupEntry) => Promise<void>;
}

/**
 * Copies folders recursively and reports each entry. Copies the content of a file with several names only once
 * (published outputs are hard links to job outputs).
 */
class TreeCopy {
  readonly #options: TreeCopyOptions;
  /** The paths of copied files by device and inode, for hard links. */
  readonly #copied = new Map<string, string>();

  constructor(options: TreeCopyOptions) {
    this.#options = options;
  }

  /** `path` is relative to both folders. */
  async add(path: string): Promise<void> {
    const { from, to } = this.#options;
    const around = await runLater(openTrustedFolder(dirname(join(from, path)))).catch(undefinedIfMissing);
    // The file was pruned after its folder was listed.
    if (around === undefined) return;
    using folder = around;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await this.#addEntry(folder, path);
  }

  async #addEntry(folder: OpenFolder, path: string): Promise<void> {
    const found = await runLater(folder.lstat(basename(path)));
    if (found?.isFile() === true) return this.#addFile(folder, path, found);
    if (found?.isSymbolicLink() === true) return this.#addLink(folder, path);
    // Sockets and pipes have no content.
    if (found?.isDirectory() === true) await this.#addFolder(folder, path);
  }

  async #addFolder(around: OpenFolder, path: string): Promise<void> {
    const { to, write } = this.#options;
    const opened = await runLater(around.folder(basename(path))).catch(undefinedIfMissing);
    if (opened === undefined) return;
    using folder = opened;
    await mkdir(join(to, path), { mode: 0o700 });
    await write({ kind: "folder", path });
    const entries = (await runLater(folder.entries()).catch(undefinedIfMissing)) ?? [];
    for (const { name } of entries) await this.#addEntry(folder, join(path, name));
  }

  async #addFile(folder: OpenFolder, path: string, found: Stats): Promise<void> {
    const { to, write } = this.#options;
    const key = `${found.dev}:${found.ino}`;
    const as = this.#copied.get(key);
    if (as !== undefined) {
      await link(join(to, as), join(to, path));
      return write({ kind: "same", path, as });
    }
    const mode = found.mode & 0o777;
    const opened = await runLater(folder.file(basename(path))).catch(undefinedIfMissing);
    // A job that has just ended clears its folder.
    if (opened === undefined) return;
    using file = opened;
    const facts = await copyHashed(file.descriptorPath, join(to, path), mode);
    if (found.nlink > 1) this.#copied.set(key, path);
    return write({ kind: "file", path, mode, ...facts });
  }

  async #addLink(folder: OpenFolder, path: string): Promise<void> {
    const { from, write } = this.#options;
    const target = await runLater(folder.readlink(basename(path)));
    const within = isBelow(target, from);
    return write({ kind: "link", path, target: within ? relative(from, target) : target, within });
  }
}
