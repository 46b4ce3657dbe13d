import { lstatSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { RECORD_FILE } from "../executor/job-record-text.ts";
import { REUSED_LAUNCH } from "../executor/launch-script.ts";
import { removeBelowTrusted } from "../files/beneath/open-folder.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { runNow } from "../files/beneath/steps.ts";
import type { Job } from "./job.ts";

const STREAMS: ReadonlySet<string> = new Set(["stdout", "stderr"]);
const FOLDERS: ReadonlySet<string> = new Set(["out", "tmp"]);
/** As many jobs can be prepared ahead. */
const MAX_SPARES = 64;

/**
 * Empty folders of ended jobs, for later jobs of the same run: creating and removing files is what costs most on many disks
 * (ADR 104). A spare folder keeps the path of its job until another job takes it. It contains `out` and `tmp`, the record,
 * and empty streams.
 */
export class SpareFolders {
  #spares: string[] = [];
  /** The mode of a new folder. */
  #mode: number | undefined;

  /** Keeps the folder of a job. No process of the job is left, and `tmp` is empty. False unless it is as good as new. */
  keep(folder: OpenFolder): boolean {
    // The server created the folder of all jobs in the same way.
    this.#mode ??= lstatSync(dirname(folder.path)).mode;
    if (this.#spares.length >= MAX_SPARES || !isLikeNew(folder, this.#mode)) return false;
    this.#spares.push(folder.path);
    return true;
  }

  /**
   * Gives a job a spare folder. False if there is none, or if something is in the way. Anything that a failed attempt
   * leaves is removed with the run.
   */
  take({ folder }: Pick<Job, "folder">): boolean {
    const spare = this.#spares.shift();
    if (spare === undefined) return false;
    try {
      renameSync(spare, folder);
      renameSync(join(folder, RECORD_FILE), join(folder, REUSED_LAUNCH));
      return true;
    } catch {
      return false;
    }
  }

  /** Removes the spare folders of a run whose jobs have ended. Anything that cannot be removed goes with the run. */
  async remove(): Promise<void> {
    const spares = this.#spares;
    this.#spares = [];
    for (const spare of spares) await removeBelowTrusted(spare).catch(() => {});
  }
}

function isLikeNew(folder: OpenFolder, mode: number): boolean {
  const entries = runNow(folder.entries());
  const names = new Set(entries.map(({ name }) => name));
  if (![...FOLDERS, RECORD_FILE].every((name) => names.has(name))) return false;
  const isAsExpected = entries.every((entry) => {
    if (entry.isDirectory()) return FOLDERS.has(entry.name) && runNow(folder.lstat(entry.name))?.mode === mode;
    return entry.isFile() && (entry.name === RECORD_FILE || isEmptyStream(folder, entry.name));
  });
  return isAsExpected && isEmptyFolder(folder, "out");
}

function isEmptyFolder(around: OpenFolder, name: string): boolean {
  using folder = runNow(around.folder(name));
  return runNow(folder.entries()).length === 0;
}

function isEmptyStream(folder: OpenFolder, name: string): boolean {
  if (!STREAMS.has(name)) return false;
  const stats = runNow(folder.lstat(name));
  return stats?.size === 0 && stats.nlink === 1;
}
