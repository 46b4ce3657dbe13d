import type { Prune, PruneReport, PruneEntry } from "@weft/shared/records/storage-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { RUN_PARTS } from "@weft/shared/records/run-parts.ts";
import type { DownloadStore } from "../files/remote/download-store.ts";
import type { Journal } from "../journal/journal.ts";
import type { PrunedRow } from "../journal/read-storage.ts";
import type { Agent } from "../port/engine.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Log } from "../log.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import { errorText } from "../error-text.ts";
import { orderOf, type PruneAsker, type PruneOrder } from "./prune-order.ts";
import { pruneRuns, outcomeOf } from "./prune-runs.ts";
import { RunStorage } from "./run-storage.ts";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { uploadItem } from "../files/used-items.ts";
import { timeText } from "../present/present-time.ts";
import { removeTree } from "./remove-part.ts";
import { bytesOnDisk, walkTree } from "../files/beneath/walk-tree.ts";

export interface RetentionOptions {
  readonly journal: Journal;
  readonly runsFolder: string;
  readonly uploadsFolder: string;
  readonly downloads: DownloadStore;
  readonly log: Log;
}

/**
 * Decides which files stay on disk, one operation at a time: measures runs when they end, removes their intermediate
 * files if their option says so, and removes files on request. Except for downloads, which can be fetched again,
 * every removal is recorded before it begins, so that the next server finishes what a crash interrupts.
 */
export class Retention implements Agent {
  readonly #options: RetentionOptions;
  readonly #runs: RunStorage;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #unsubscribe = () => {};

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#runs = new RunStorage(options.journal, options.runsFolder);
  }

  /** Removes files, or reports which would be removed. Rejects with a Refusal for files that must be kept. */
  async prune(body: Prune, asker: PruneAsker): Promise<PruneReport> {
    const order = orderOf(body, asker);
    return this.#inTurn(async () => {
      const { journal, uploadsFolder, downloads } = this.#options;
      const report = emptyReport(order);
      // Downloads first: on a full disk they free the space to record the rest.
      if (order.downloads) tally(report, await pruneDownloads(order, journal.read, downloads));
      const uploads = order.uploads ? pruneUploads(order, journal, uploadsFolder) : [];
      for (const entries of [uploads, pruneRuns(order, journal.read, this.#runs)]) {
        for await (const entry of entries) {
          tally(report, entry);
          this.#refuseWhenClosed();
        }
      }
      return report;
    });
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new Refusal("draining", "The server is shutting down; removals so far are recorded.");
  }

  /** Finishes the work of an earlier server: removals, and runs not yet measured. Then watches for ended runs. */
  begin(): void {
    if (this.#isClosed) return;
    const { journal, uploadsFolder } = this.#options;
    this.#unsubscribe = journal.subscribe((events) => {
      for (const { type, run_id: runId } of events)
        if (runId !== null && (type === "run.ended" || type === "run.imported")) this.#runEnded(runId);
    });
    this.#beside(null, () => finishUploads(journal.read, uploadsFolder));
    for (const removal of journal.read.openRemovals()) this.#beside(null, () => this.#finish(removal));
    for (const runId of journal.read.unmeasuredRuns()) this.#runEnded(runId);
  }

  /** Resolves when the current operation has ended; the next server finds the waiting ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    await this.#last;
  }

  /** Measures an ended run and frees the files that its option names, in the background. */
  #runEnded(runId: string): void {
    this.#beside(runId, () => this.#settle(runId));
  }

  async #settle(runId: string): Promise<void> {
    const { read } = this.#options.journal;
    const row = read.run(runId);
    // The removal that was finished meanwhile has measured it.
    if (row === undefined || !isFinal(row.state) || read.storage(runId) !== undefined) return;
    const result = freesIntermediate(row) ? await this.#runs.remove(runId, "intermediate", "engine") : undefined;
    if (result?.kind !== "removed") await this.#runs.recordMeasure(runId);
    else if (result.failures.length > 0) this.#warn("some intermediate files of a run could not be removed", runId);
  }

  async #finish({ item }: PrunedRow): Promise<void> {
    const [kind, runId = "", name] = item.split("/");
    const part = RUN_PARTS.find((known) => known === name);
    if (kind === "runs" && part !== undefined) await this.#runs.finish(runId, part);
  }

  #beside(runId: string | null, work: () => Promise<void>): void {
    this.#inTurn(async () => {
      if (!this.#isClosed) await work();
    }).catch((error: unknown) => this.#warn(`disk usage could not be managed: ${errorText(error)}`, runId));
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #warn(message: string, runId: string | null): void {
    this.#options.log("warn", message, runId === null ? {} : { run_id: runId });
  }
}

interface RetentionParts extends Omit<RetentionOptions, "uploadsFolder"> {
  readonly folder: { readonly uploads: string };
  readonly begin: (agent: Agent) => void;
}

export function openRetention({ folder, begin, ...parts }: RetentionParts): RouteMethods {
  const { journal } = parts;
  const retention = new Retention({ ...parts, uploadsFolder: folder.uploads });
  begin(retention);
  return {
    "POST /api/prune": ({ caller: { principal: actor }, body, query: { dry_run: isDryRun = false } }) =>
      retention.prune(body, { actor, isDryRun, nowMs: journal.nowMs() }),
  };
}

/** An imported run was imported to be kept. */
function freesIntermediate({ options, outcome, imported }: RunRow): boolean {
  if (imported !== null) return false;
  const { keep_intermediate: keep = "always" } = options;
  return keep === "never" || (keep === "on_failure" && outcome === "success");
}

/** Removes downloads that no run needs, or reports how much would be freed: one entry for all of them. */
async function pruneDownloads(
  { beforeMs, isDryRun }: PruneOrder,
  read: LogReader,
  store: DownloadStore,
): Promise<PruneEntry> {
  // Downloads of an open run count as used since that run began, even if not recorded yet.
  const unusedSinceMs = Math.min(beforeMs, read.oldestOpenRunMs() ?? Infinity);
  const pinned = read.pinnedByOpenRuns();
  const { files, bytes, failures } = await store.prune({ beforeMs: unusedSinceMs, isDryRun, pinned });
  const name = `${files} downloaded ${files === 1 ? "file" : "files"}`;
  const entry = { kind: "downloads", id: "", name, time: null, part: null, bytes } as const;
  return isDryRun ? { ...entry, outcome: "planned", reason: null } : { ...entry, ...outcomeOf(failures) };
}

/** Bounds the size of the answer. */
const SHOWN = 1000;

function emptyReport({ isDryRun }: PruneOrder): PruneReport {
  return { dry_run: isDryRun, entries: [], entries_total: 0, bytes_total: 0, kept_total: 0, failed_total: 0 };
}

/** Adds a removal that a prune made, or would make. */
function tally(report: PruneReport, entry: PruneEntry): void {
  report.entries_total += 1;
  report.bytes_total += entry.bytes;
  if (entry.outcome === "kept") report.kept_total += 1;
  if (entry.outcome === "failed") report.failed_total += 1;
  if (report.entries.length < SHOWN) report.entries.push(entry);
}

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
async function finishUploads(read: LogReader, folder: string): Promise<void> {
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
