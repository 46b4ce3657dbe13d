import { statSync, unlinkSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { undefinedIfMissing } from "../beneath/undefined-if-missing.ts";

export interface UnusedContents {
  /** Absolute path of the folder of contents. */
  readonly folder: string;
  /** Last used at this time or earlier. */
  readonly beforeMs: number;
  /** Contents that are kept regardless of their age, by SHA-256. */
  readonly pinned: ReadonlySet<string>;
  readonly isDryRun: boolean;
}

export interface RemovedContents {
  readonly files: number;
  readonly bytes: number;
  readonly failures: readonly { readonly path: string; readonly message: string }[];
}

const CONTENT = /^[0-9a-f]{64}$/;

/**
 * Removes contents not used recently. A caller who requests one between the check and the removal gets an error that it
 * is missing.
 */
export async function removeUnused({ folder, beforeMs, pinned, isDryRun }: UnusedContents): Promise<RemovedContents> {
  const removed = { files: 0, bytes: 0, failures: [] as { path: string; message: string }[] };
  for (const name of (await readdir(folder).catch(undefinedIfMissing)) ?? []) {
    if (!CONTENT.test(name) || pinned.has(name)) continue;
    const outcome = removeIfUnused(join(folder, name), beforeMs, isDryRun);
    if (outcome === undefined) continue;
    if (typeof outcome === "string") removed.failures.push({ path: name, message: outcome });
    else {
      removed.files += 1;
      removed.bytes += outcome;
    }
  }
  return removed;
}

/**
 * Synchronous, so nothing happens between the check and the removal. Returns its bytes, why it could not be removed, or
 * undefined if it is kept.
 */
function removeIfUnused(path: string, beforeMs: number, isDryRun: boolean): number | string | undefined {
  try {
    const found = statSync(path);
    if (found.atimeMs > beforeMs) return undefined;
    if (!isDryRun) unlinkSync(path);
    return found.blocks * 512;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : (code ?? message);
  }
}

/** The records of URLs are useless without the contents that `isThere` checks. */
export async function removeRecords(folder: string, isThere: (path: string) => Promise<boolean>): Promise<void> {
  for (const name of (await readdir(folder).catch(undefinedIfMissing)) ?? []) {
    const path = join(folder, name);
    if (!(await isThere(path))) await rm(path, { force: true });
  }
}
