import { createReadStream, existsSync, lstatSync } from "node:fs";
import { link, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createInterface } from "node:readline";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { syncToDisk } from "../files/write-durably.ts";
import { LOG_VERSION } from "../journal/schema.ts";
import { BackupRefused, DATABASE, MANIFEST, parseEntry, type BackupEntry } from "./backup-entry.ts";
import { copyHashed } from "./copy-hashed.ts";

export interface RestoreReport {
  readonly created: string;
  readonly withFiles: boolean;
  readonly runs: number;
  /** Runs that had not ended; the next server resumes them. */
  readonly openRuns: number;
  readonly files: number;
}

/**
 * Restores a backup to a new state folder. Checks every byte on the way, and removes the folder if the backup is
 * incomplete.
 */
export async function restoreState(backup: string, stateFolder: string): Promise<RestoreReport> {
  const from = resolve(backup);
  const root = resolve(stateFolder);
  if (!isRegularFile(join(from, MANIFEST)))
    throw new BackupRefused(`there is no Weft backup at ${from} (${MANIFEST} is missing)`);
  if (((await readdir(root).catch(undefinedIfMissing)) ?? []).length > 0)
    throw new BackupRefused(`the folder ${root} is not empty; restore to a new one`);
  const partial = `${root}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const report = { ...(await carryOver(from, partial, root)), ...inspect(join(partial, DATABASE)) };
    await rm(root, { recursive: true, force: true });
    await rename(partial, root);
    await syncToDisk(dirname(root));
    return report;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function carryOver(from: string, partial: string, root: string) {
  let header: Extract<BackupEntry, { kind: "backup" }> | undefined;
  let ended = false;
  let number = 0;
  let files = 0;
  for await (const entry of entriesOf(from)) {
    number += 1;
    if (entry.kind === "backup") header = entry;
    else if (entry.kind === "end") ended = entry.entries === number - 1;
    else await carry(entry, from, partial).catch((error: unknown) => refuseContradiction(entry, error));
    if (entry.kind === "file") files += 1;
  }
  if (header === undefined || !ended) throw new BackupRefused(`${MANIFEST} is incomplete; use another backup`);
  // Links come last, so that no path of another entry leads through one.
  for await (const entry of entriesOf(from)) {
    if (entry.kind !== "link") continue;
    const target = entry.within ? join(root, entry.target) : entry.target;
    await symlink(target, join(partial, entry.path)).catch((error: unknown) => refuseContradiction(entry, error));
  }
  return { created: header.created, withFiles: header.with_files, files };
}

async function* entriesOf(backup: string): AsyncGenerator<BackupEntry> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(join(backup, MANIFEST)) }))
    yield parseEntry(line, ++number);
}

/** Restores all but links, for which it makes only the folder. */
async function carry(
  entry: Exclude<BackupEntry, { kind: "backup" | "end" }>,
  from: string,
  partial: string,
): Promise<void> {
  const path = join(partial, entry.path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  switch (entry.kind) {
    case "folder":
      await mkdir(path, { recursive: true, mode: 0o700 });
      return;
    case "link":
      return;
    case "same":
      return link(join(partial, entry.as), path);
    case "file": {
      const source = join(from, entry.path);
      if (!isRegularFile(source))
        throw new BackupRefused(`the backup lacks the file ${entry.path}; use another backup`);
      const { size, sha256 } = await copyHashed(source, path, entry.mode);
      if (size !== entry.size || sha256 !== entry.sha256)
        throw new BackupRefused(`the file ${entry.path} of the backup is damaged; use another backup`);
    }
  }
}

/** These errors mean that an entry does not fit those before it. */
const CONTRADICTIONS = new Set(["EEXIST", "ENOENT", "ENOTDIR", "EISDIR"]);

function refuseContradiction({ path }: { readonly path: string }, error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!CONTRADICTIONS.has(code)) throw error;
  throw new BackupRefused(`${MANIFEST} contradicts itself about ${path}; use another backup`);
}

/** A pipe would never end, and a link could lead anywhere. */
function isRegularFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Counts the runs in the log; refuses a log that is damaged or that this version cannot read. */
function inspect(database: string): Pick<RestoreReport, "runs" | "openRuns"> {
  if (!existsSync(database)) throw new BackupRefused(`the backup lacks the file ${DATABASE}; use another backup`);
  using db = new DatabaseSync(database, { readOnly: true });
  const read = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  if (Number(read("PRAGMA user_version")) > LOG_VERSION)
    throw new BackupRefused("the backup was made by a newer version of Weft; restore it with that version");
  const verdict = read("PRAGMA integrity_check");
  if (verdict !== "ok") throw new BackupRefused(`the log of the backup is damaged: ${String(verdict)}`);
  return {
    runs: Number(read("SELECT count(*) FROM runs")),
    openRuns: Number(read("SELECT count(*) FROM runs WHERE ended_ms IS NULL")),
  };
}
