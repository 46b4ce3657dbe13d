import { join, relative } from "node:path";
import { partOfPath } from "../files/used-items.ts";
import type { MeasuredBytes } from "@weft/shared/events/run-events.ts";
import { bytesOnDisk, walkTree, type TreeEntry } from "../files/beneath/walk-tree.ts";

/** The disk usage of a run. */
export interface RunFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Logs under names chosen by tools, and the folders that contain them among other files; absolute paths. */
  readonly namedLogs: ReadonlySet<string>;
}

/**
 * Measures the disk usage of a run. The bytes of a file with two names, such as a published output, count once, as an
 * output.
 */
export async function measureRun(run: RunFolder): Promise<MeasuredBytes> {
  const bytes = { outputs_bytes: 0, intermediate_bytes: 0, logs_bytes: 0 };
  const seen = new Set<string>();
  const count = (entry: TreeEntry) => {
    const { stats } = entry;
    const key = `${stats.dev}:${stats.ino}`;
    if (!stats.isDirectory() && stats.nlink > 1) {
      if (seen.has(key)) return;
      seen.add(key);
    }
    bytes[`${partOfEntry(run, entry.path)}_bytes`] += bytesOnDisk(entry);
  };
  for (const name of ["outputs", "jobs", "inputs"])
    for await (const entry of walkTree(join(run.folder, name))) count(entry);
  return bytes;
}

export function partOfEntry({ folder, namedLogs }: RunFolder, path: string) {
  return namedLogs.has(path) ? "logs" : partOfPath(relative(folder, path));
}
