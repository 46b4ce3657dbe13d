import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { absent } from "../files/absent.ts";

export interface TreeEntry {
  readonly path: string;
  /** Of the entry itself: a link is an entry like a file, wherever it leads. */
  readonly stats: Stats;
}

export interface TreeListener {
  /** Told of each folder before it is read. */
  readonly onFolder?: (folder: TreeEntry) => Promise<void>;
  /** Told of a folder that cannot be read; the walk goes on beside it. */
  readonly onUnreadable?: (path: string, error: NodeJS.ErrnoException) => void;
}

/**
 * Everything at and below a path, what is in a folder before the folder itself. No link is followed, so nothing is met that
 * lies elsewhere. What is not there, or goes meanwhile, is passed over.
 */
export async function* walkTree(path: string, listener: TreeListener = {}): AsyncGenerator<TreeEntry> {
  const stats = await lstat(path).catch(absent);
  if (stats === undefined) return;
  const entry = { path, stats };
  if (stats.isDirectory()) {
    await listener.onFolder?.(entry);
    for (const name of await namesIn(path, listener)) yield* walkTree(join(path, name), listener);
  }
  yield entry;
}

async function namesIn(path: string, { onUnreadable }: TreeListener): Promise<readonly string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") onUnreadable?.(path, error);
    return [];
  });
}

/** What an entry takes on disk, in bytes of whole blocks. */
export function bytesOnDisk({ stats }: TreeEntry): number {
  return stats.blocks * 512;
}
