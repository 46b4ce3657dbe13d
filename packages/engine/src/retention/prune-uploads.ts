import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PruneEntry } from "@weft/shared/records/storage-record.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { uploadItem } from "../files/used-items.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { timeText } from "../present/present-time.ts";
import type { PruneOrder } from "./prune-order.ts";
import { outcomeOf } from "./prune-runs.ts";
import { removeTree } from "./remove-part.ts";
import { bytesOnDisk, walkTree } from "../files/beneath/walk-tree.ts";

const UPLOAD_ID = /^[0-9a-f-]{36}$/;

interface Upload {
  readonly id: string;
  /** Name of its only file. */
  readonly name: string;
  readonly cameMs: number;
}

/** Removes uploads that no run with remaining outputs refers to, or reports them. */
export async function* pruneUploads(order: PruneOrder, journal: Journal, folder: string): AsyncGenerator<PruneEntry> {
  for (const id of await readdir(folder)) {
    const upload = UPLOAD_ID.test(id) ? await findUpload(folder, id) : undefined;
    if (upload === undefined || upload.cameMs > order.beforeMs || journal.read.isUploadOfARun(id)) continue;
    yield await pruneUpload(upload, order, { journal, folder });
  }
}

/** Removes the rest of uploads whose removal is recorded. */
export async function finishUploads(read: LogReader, folder: string): Promise<void> {
  for (const id of await readdir(folder))
    if (read.pruned(uploadItem(id)) !== undefined) await removeTree(join(folder, id), folder);
}

async function findUpload(folder: string, id: string): Promise<Upload | undefined> {
  const found = await stat(join(folder, id)).catch(undefinedIfMissing);
  const [name = ""] = (await readdir(join(folder, id)).catch(undefinedIfMissing)) ?? [];
  return found === undefined ? undefined : { id, name, cameMs: found.mtimeMs };
}

async function pruneUpload(
  { id, name, cameMs }: Upload,
  { isDryRun, actor }: PruneOrder,
  { journal, folder }: { readonly journal: Journal; readonly folder: string },
): Promise<PruneEntry> {
  const entry = { kind: "upload", id, name, time: timeText(Math.round(cameMs)), part: null } as const;
  const path = join(folder, id);
  const bytes = await sizeOf(path);
  if (isDryRun) return { ...entry, outcome: "planned", bytes, reason: null };
  const data = { upload_id: id, bytes };
  const [begun] = await journal.append([{ type: "upload.pruned", run_id: null, actor, data }]);
  if (begun === null) return { ...entry, outcome: "kept", bytes: 0, reason: "an open run reads it" };
  const removed = await removeTree(path, folder);
  return { ...entry, bytes: removed.bytes, ...outcomeOf(removed.failures) };
}

async function sizeOf(path: string): Promise<number> {
  let bytes = 0;
  for await (const entry of walkTree(path)) bytes += bytesOnDisk(entry);
  return bytes;
}
