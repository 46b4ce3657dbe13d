import { Worker } from "node:worker_threads";
import { JournalWriter } from "./journal-writer.ts";
import type { WriterThread } from "./journal-writer.ts";
import type { Journal } from "./journal.ts";
import type { JournalWorkerData } from "./journal-worker.ts";
import { createLogReader } from "./log-reader.ts";
import type { WriterAnswer, WriterRequest } from "./log-writer.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { openForReading } from "./open-database.ts";
import type { Durability } from "./open-database.ts";
import { steadyMs } from "./storage/log-clock.ts";

/**
 * The log in a file. One worker thread writes, so waiting for the disk never blocks the server; requests that arrive
 * during a commit share the next one. Reads happen here, on a separate connection. Rejects with StateFolderUnusable if
 * the file is of another kind or of a newer Weft.
 */
export async function openSqliteJournal(path: string, durability: Durability): Promise<Journal> {
  migrateDatabase(path);
  // Incremented with every commit, before subscribers are notified.
  const commits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: JournalWorkerData = { path, durability, commits };
  const worker = new Worker(new URL("./journal-worker.ts", import.meta.url), { workerData });
  const writer = new JournalWriter(threadOf(worker), steadyMs);
  worker.on("error", (error) => writer.crashed(error));
  worker.on("message", (answer: WriterAnswer) => writer.receive(answer));
  await writer.ready;
  return writer.open(createLogReader(openForReading(path), () => Atomics.load(commits, 0)));
}

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
