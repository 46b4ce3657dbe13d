import type { PruneEntry } from "@weft/shared/records/storage-record.ts";
import type { DownloadStore } from "../files/remote/download-store.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { PruneOrder } from "./prune-order.ts";
import { outcomeOf } from "./prune-runs.ts";

/** Removes copies of files of the web that nobody needs, or tells how much would go: one entry for all of them. */
export async function pruneDownloads(
  { beforeMs, isDryRun }: PruneOrder,
  read: LogReader,
  store: DownloadStore,
): Promise<PruneEntry> {
  // What an open run was given was used since that run began, whether it is on record by now or not.
  const unusedSinceMs = Math.min(beforeMs, read.oldestOpenRunMs() ?? Infinity);
  const pinned = read.pinnedByOpenRuns();
  const { files, bytes, failures } = await store.prune({ beforeMs: unusedSinceMs, isDryRun, pinned });
  const name = `${files} ${files === 1 ? "file" : "files"} of the web`;
  const entry = { kind: "downloads", id: "", name, time: null, part: null, bytes } as const;
  return isDryRun ? { ...entry, outcome: "planned", reason: null } : { ...entry, ...outcomeOf(failures) };
}
