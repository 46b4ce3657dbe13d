import { Worker } from "node:worker_threads";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { appendedEvents } from "./appended-event.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { EventHub } from "./event-hub.ts";
import type { Journal, StorageProblemListener } from "./journal.ts";
import type { NewEvent } from "./journal-event.ts";
import type { JournalWorkerData } from "./journal-worker.ts";
import { createLogReader } from "./log-reader.ts";
import { openForReading } from "./open-database.ts";
import type { Durability } from "./open-database.ts";
import type { WriterMessage } from "./storage/group-writer.ts";
import { steadyMs } from "./storage/log-clock.ts";
import { refusalOf } from "./storage/storage-problem.ts";
import { StorageProblemWatch } from "./storage/storage-problem-watch.ts";

/** Messages of the worker: its clock's offset from the steady clock whenever it changes, and `ready` once. */
type Answer = WriterMessage | { readonly offsetMs: number } | { readonly ready: true };

interface Waiter {
  readonly events: readonly NewEvent[];
  readonly resolve: (events: readonly (WeftEvent | null)[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The log in a file. One worker thread writes, so waiting for the disk never blocks the server; requests that arrive
 * during a commit share the next one. Reads happen here, on a separate connection. Rejects with StateFolderUnusable if
 * the file is of another kind or of a newer Weft.
 */
export async function openSqliteJournal(path: string, durability: Durability): Promise<Journal> {
  migrateDatabase(path);
  const writer = new JournalWriter(path, durability);
  await writer.ready;
  const read = createLogReader(openForReading(path), () => writer.commits);
  writer.hub = new EventHub(read.lastSeq());
  return {
    append: (events) => writer.append(events),
    read,
    get lastSeq() {
      return writer.hub.lastSeq;
    },
    nowMs: () => writer.nowMs(),
    subscribe: (listener) => writer.hub.subscribe(listener),
    get storageProblem() {
      return writer.storageProblems.present;
    },
    get well() {
      return writer.storageProblems.over;
    },
    onStorageProblem: (listener: StorageProblemListener) => writer.storageProblems.listen(listener),
    // Reading continues until the process ends: the server may still be answering a request.
    close: () => writer.close(),
  };
}

/** The main thread's view of the worker thread. */
class JournalWriter {
  readonly storageProblems = new StorageProblemWatch();
  readonly ready: Promise<void>;
  hub = new EventHub(0);
  readonly #worker: Worker;
  readonly #waiters = new Map<number, Waiter>();
  #lastId = 0;
  #offsetMs = 0;
  #isClosed = false;
  readonly #commits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  constructor(path: string, durability: Durability) {
    const workerData: JournalWorkerData = { path, durability, commits: this.#commits };
    this.#worker = new Worker(new URL("./journal-worker.ts", import.meta.url), { workerData });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#worker.once("error", reject);
    this.#worker.on("error", (error) => this.#stop(String(error)));
    this.#worker.on("message", (answer: Answer) => {
      if ("ready" in answer) resolve();
      else this.#settle(answer);
    });
  }

  /** Incremented with every commit, before subscribers are notified. */
  get commits(): number {
    return Atomics.load(this.#commits, 0);
  }

  nowMs(): number {
    return Math.round(steadyMs() + this.#offsetMs);
  }

  append(events: readonly NewEvent[]): Promise<readonly (WeftEvent | null)[]> {
    if (this.#isClosed) return Promise.reject(new Refusal("draining", "The server is shutting down."));
    if (this.storageProblems.present === "failed") return Promise.reject(refusalOf("failed"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { events, resolve, reject });
      this.#worker.postMessage({ id, events });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.postMessage("close");
    await ended;
  }

  #settle(answer: Exclude<Answer, { readonly ready: true }>): void {
    if ("answers" in answer) {
      for (const { id, events: appended } of answer.answers) {
        const waiter = this.#take(id);
        if (waiter === undefined) continue;
        const events = appendedEvents(waiter.events, appended);
        this.hub.publish(events);
        waiter.resolve(events);
      }
    } else if ("refused" in answer) {
      for (const id of answer.refused) this.#take(id)?.reject(refusalOf(answer.because));
    } else if ("failed" in answer) {
      const error = new Error(`the log could not be written: ${answer.message}`);
      for (const id of answer.failed) this.#take(id)?.reject(error);
    } else if ("offsetMs" in answer) {
      this.#offsetMs = answer.offsetMs;
    } else if ("storageProblem" in answer) {
      // Node's watch mode also sends messages through a worker's port.
      this.storageProblems.tell(answer.storageProblem, answer.message);
    }
  }

  #take(id: number): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    return waiter;
  }

  /** Without its writer the log can only be read. */
  #stop(why: string): void {
    this.storageProblems.tell("failed", why);
    for (const waiter of this.#waiters.values()) waiter.reject(refusalOf("failed"));
    this.#waiters.clear();
  }
}
