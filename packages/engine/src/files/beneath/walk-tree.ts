import type { Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { undefinedIfMissing } from "./undefined-if-missing.ts";
import { MAX_LEVELS, openTrustedFolder, type OpenFolder } from "./open-folder.ts";
import { runLater } from "./steps.ts";
import { codeOf, systemError } from "./system-calls.ts";

export interface TreeEntry {
  readonly path: string;
  /** Stats of the entry itself; a link is not followed. */
  readonly stats: Stats;
  /** The entry's parent folder, open until the next entry is requested. */
  readonly folder: OpenFolder;
  readonly name: string;
}

export interface TreeListener {
  /** Called for each folder before it is read. */
  readonly onFolder?: (folder: OpenFolder, stats: Stats) => Promise<void>;
  /** Called for a folder that cannot be read; the walk continues. */
  readonly onUnreadable?: (path: string, error: NodeJS.ErrnoException) => void;
}

/**
 * Everything at and below a path; the content of a folder comes before the folder itself. Follows no link, so it never
 * reaches anything elsewhere, whatever is swapped meanwhile. Skips what is missing or disappears. Only the server may
 * write to the parent folder of the path.
 */
export async function* walkTree(path: string, listener: TreeListener = {}): AsyncGenerator<TreeEntry> {
  const around = await runLater(openTrustedFolder(dirname(path))).catch(undefinedIfMissing);
  if (around === undefined) return;
  using folder = around;
  yield* walkEntry({ folder, name: basename(path), path }, listener);
}

async function* walkEntry(
  { folder, name, path }: Omit<TreeEntry, "stats">,
  listener: TreeListener,
): AsyncGenerator<TreeEntry> {
  const stats = await runLater(folder.lstat(name));
  if (stats === undefined) return;
  if (stats.isDirectory()) yield* walkInside({ folder, name, path, stats }, listener);
  yield { folder, name, path, stats };
}

async function* walkInside(
  { folder, name, path, stats }: TreeEntry,
  listener: TreeListener,
): AsyncGenerator<TreeEntry> {
  const opened = await runLater(folder.folder(name)).catch(undefinedIfMissing);
  if (opened === undefined) return;
  using inner = opened;
  if (path.split("/").length > MAX_LEVELS) {
    listener.onUnreadable?.(path, systemError("ENAMETOOLONG", "the folder is nested too deeply"));
    return;
  }
  await listener.onFolder?.(inner, stats);
  for (const child of await namesIn(inner, path, listener))
    yield* walkEntry({ folder: inner, name: child, path: join(path, child) }, listener);
}

async function namesIn(folder: OpenFolder, path: string, { onUnreadable }: TreeListener): Promise<readonly string[]> {
  try {
    return (await runLater(folder.entries())).map(({ name }) => name);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") onUnreadable?.(path, error as NodeJS.ErrnoException); // the error is from a system call
    return [];
  }
}

/** The disk usage of an entry in bytes, counted in whole blocks. */
export function bytesOnDisk({ stats }: Pick<TreeEntry, "stats">): number {
  return stats.blocks * 512;
}
