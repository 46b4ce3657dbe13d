import { join, relative } from "node:path";
import { partOfPath } from "../files/used-items.ts";
import type { MeasuredBytes } from "@weft/shared/events/run-events.ts";
import { bytesOnDisk, walkTree } from "./walk-tree.ts";
import type { TreeEntry } from "./walk-tree.ts";

/** A run as the disk has it. */
export interface RunFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Logs that tools have named themselves, and the folders in which they lie among other files; absolute paths. */
  readonly namedLogs: ReadonlySet<string>;
}

/** What a run has on disk. Of a file with two names, as published outputs have, the bytes count once, as an output. */
export async function measureRun(run: RunFolder): Promise<MeasuredBytes> {
  const bytes = { outputs: 0, intermediate: 0, logs: 0 };
  const seen = new Set<string>();
  const count = (entry: TreeEntry) => {
    const { stats } = entry;
    const key = `${stats.dev}:${stats.ino}`;
    if (!stats.isDirectory() && stats.nlink > 1) {
      if (seen.has(key)) return;
      seen.add(key);
    }
    bytes[partOfEntry(run, entry.path)] += bytesOnDisk(entry);
  };
  for await (const entry of walkTree(join(run.folder, "outputs"))) count(entry);
  for await (const entry of walkTree(join(run.folder, "jobs"))) count(entry);
  for await (const entry of walkTree(join(run.folder, "inputs"))) count(entry);
  return { outputs_bytes: bytes.outputs, intermediate_bytes: bytes.intermediate, logs_bytes: bytes.logs };
}

export function partOfEntry({ folder, namedLogs }: RunFolder, path: string) {
  return namedLogs.has(path) ? "logs" : partOfPath(relative(folder, path));
}
