import { Worker } from "node:worker_threads";
import { JournalWriter, type WriterThread } from "./journal-writer.ts";
import type { Journal } from "./journal.ts";
import type { LogFeature } from "./log-feature.ts";
import { createLogReader } from "./log-reader.ts";
import type { LogThreadData } from "./serve-log.ts";
import type { WriterAnswer, WriterRequest } from "./log-writer.ts";
import { openForReading, type Durability } from "./open-database.ts";
import { rebuildTables } from "./rebuild-tables.ts";
import { steadyMs } from "./storage/log-clock.ts";
import type { Log } from "../log.ts";

/** The interval at which a rebuild reports its remaining time. */
const SAY_EVERY_MS = 5000;

export interface LogFolds {
  readonly features: readonly LogFeature[];
  /** Script of the thread that writes: it calls `serveLog` with these features. */
  readonly writer: URL;
}

/**
 * The log in a file. One worker thread writes, so waiting for the disk never blocks the server; requests that arrive
 * during a commit share the next one. Reads happen here, on a separate connection. Tables of another version of Weft are
 * rebuilt first. Rejects with StateFolderUnusable if the file is of another kind or of a newer Weft.
 */
export async function openSqliteJournal(
  path: string,
  durability: Durability,
  { features, writer: script }: LogFolds,
  log: Log,
): Promise<Journal> {
  await rebuildAfterUpgrade(path, features, log);
  // Incremented with every commit, before subscribers are notified.
  const commits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: LogThreadData = { path, durability, commits };
  const worker = new Worker(script, { workerData });
  const writer = new JournalWriter(threadOf(worker), steadyMs);
  worker.on("error", (error) => writer.crashed(error));
  worker.on("message", (answer: WriterAnswer) => writer.receive(answer));
  await writer.ready;
  return writer.open(createLogReader(openForReading(path), () => Atomics.load(commits, 0), features));
}

async function rebuildAfterUpgrade(path: string, features: readonly LogFeature[], log: Log): Promise<void> {
  const startMs = steadyMs();
  let saidMs = startMs;
  const rebuilt = await rebuildTables(path, {
    features,
    onProgress(done, total) {
      const nowMs = steadyMs();
      if (nowMs - saidMs < SAY_EVERY_MS) return;
      saidMs = nowMs;
      const leftMs = ((nowMs - startMs) * (total - done)) / done;
      log("info", "rebuilding the tables of the log", {
        events: done,
        of: total,
        ready_in_s: Math.ceil(leftMs / 1000),
      });
    },
  });
  if (rebuilt === undefined) return;
  const { events, unreadable } = rebuilt;
  log("info", "rebuilt the tables of the log after an upgrade", { events });
  if (unreadable.length > 0) log("warn", UNREADABLE, { count: unreadable.length, first: unreadable[0] });
}

const UNREADABLE =
  "damaged events were skipped, and their runs may be incomplete; run weft verify, or restore a backup";

/** Requests of one turn of the event loop share a message, because each message wakes the thread. */
function threadOf(worker: Worker): WriterThread {
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  let waiting: WriterRequest[] = [];
  const send = () => {
    worker.postMessage(waiting);
    waiting = [];
  };
  return {
    post(request) {
      if (waiting.push(request) === 1) setImmediate(send);
    },
    ended,
  };
}
