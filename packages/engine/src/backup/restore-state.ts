import { createReadStream, existsSync } from "node:fs";
import { link, mkdir, open, readdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createInterface } from "node:readline";
import { undefinedIfMissing } from "../files/undefined-if-missing.ts";
import { SCHEMA_VERSION } from "../journal/schema.ts";
import { DATABASE, MANIFEST, parseEntry } from "./backup-entry.ts";
import type { BackupEntry } from "./backup-entry.ts";
import { BackupRefused } from "./backup-refused.ts";
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
  if (!existsSync(join(from, MANIFEST)))
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
    await using parent = await open(dirname(root), "r");
    await parent.sync();
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
  for await (const line of createInterface({ input: createReadStream(join(from, MANIFEST)) })) {
    const entry = parseEntry(line, ++number);
    if (entry.kind === "backup") header = entry;
    else if (entry.kind === "end") ended = entry.entries === number - 1;
    else await carry(entry, { from, partial, root });
    if (entry.kind === "file") files += 1;
  }
  if (header?.format !== 1 || !ended) throw new BackupRefused(`${MANIFEST} is incomplete; use another backup`);
  return { created: header.created, withFiles: header.with_files, files };
}

interface Places {
  readonly from: string;
  readonly partial: string;
  /** Path of the new state folder. */
  readonly root: string;
}

async function carry(
  entry: Exclude<BackupEntry, { kind: "backup" | "end" }>,
  { from, partial, root }: Places,
): Promise<void> {
  const path = join(partial, entry.path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  switch (entry.kind) {
    case "folder":
      await mkdir(path, { recursive: true, mode: 0o700 });
      return;
    case "link":
      return symlink(entry.within ? join(root, entry.target) : entry.target, path);
    case "same":
      return link(join(partial, entry.as), path);
    case "file": {
      const source = join(from, entry.path);
      if (!existsSync(source)) throw new BackupRefused(`the backup lacks the file ${entry.path}; use another backup`);
      const { size, sha256 } = await copyHashed(source, path, entry.mode);
      if (size !== entry.size || sha256 !== entry.sha256)
        throw new BackupRefused(`the file ${entry.path} of the backup is damaged; use another backup`);
    }
  }
}

/** Reads what the log contains; refuses a log that this version cannot read. */
function inspect(database: string): Pick<RestoreReport, "runs" | "openRuns"> {
  if (!existsSync(database)) throw new BackupRefused(`the backup lacks the file ${DATABASE}; use another backup`);
  using db = new DatabaseSync(database, { readOnly: true });
  const read = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  if (Number(read("PRAGMA user_version")) > SCHEMA_VERSION)
    throw new BackupRefused("the backup was made by a newer version of Weft; restore it with that version");
  const verdict = read("PRAGMA integrity_check");
  if (verdict !== "ok") throw new BackupRefused(`the log of the backup is damaged: ${String(verdict)}`);
  return {
    runs: Number(read("SELECT count(*) FROM runs")),
    openRuns: Number(read("SELECT count(*) FROM runs WHERE ended_ms IS NULL")),
  };
}
