import type { WeftEvent } from "@weft/shared/events/event.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { EventHub } from "./event-hub.ts";
import type { Journal, StorageProblemListener } from "./journal.ts";
import { appendedEvents, type NewEvent } from "./journal-event.ts";
import type { LogReader } from "./log-reader.ts";
import type { WriterAnswer, WriterRequest } from "./log-writer.ts";
import { refusalOf, type StorageProblem } from "./storage/storage-problem.ts";

/** The thread that writes the log. */
export interface WriterThread {
  post(request: WriterRequest): void;
  /** Resolves when the thread has ended. */
  readonly ended: Promise<unknown>;
}

interface Waiter {
  readonly events: readonly NewEvent[];
  readonly resolve: (events: readonly (WeftEvent | null)[]) => void;
  readonly reject: (error: Error) => void;
}

/** The server's side of the log: requests go to the thread that writes, and its answers settle them. */
export class JournalWriter {
  readonly storageProblems = new StorageProblemWatch();
  /** Resolves when the log is open; rejects if it cannot be opened. */
  readonly ready: Promise<void>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #thread: WriterThread;
  readonly #steadyMs: () => number;
  readonly #waiters = new Map<number, Waiter>();
  #hub = new EventHub(0);
  #lastId = 0;
  #offsetMs = 0;
  #isClosed = false;

  constructor(thread: WriterThread, steadyMs: () => number) {
    this.#thread = thread;
    this.#steadyMs = steadyMs;
    this.ready = this.#ready.promise;
  }

  /** The log as everything else sees it. Reading continues until the process ends. */
  open(read: LogReader): Journal {
    this.#hub = new EventHub(read.lastSeq());
    const hub = this.#hub;
    const { storageProblems } = this;
    return {
      append: (events) => this.#append(events),
      read,
      get lastSeq() {
        return hub.lastSeq;
      },
      nowMs: () => Math.round(this.#steadyMs() + this.#offsetMs),
      subscribe: (listener) => hub.subscribe(listener),
      get storageProblem() {
        return storageProblems.present;
      },
      get well() {
        return storageProblems.over;
      },
      onStorageProblem: (listener: StorageProblemListener) => storageProblems.listen(listener),
      close: () => this.#close(),
    };
  }

  #append(events: readonly NewEvent[]): Promise<readonly (WeftEvent | null)[]> {
    if (this.#isClosed) return Promise.reject(new Refusal("draining", "The server is shutting down."));
    if (this.storageProblems.present === "failed") return Promise.reject(refusalOf("failed"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { events, resolve, reject });
      this.#thread.post({ id, events });
    });
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#thread.post("close");
    await this.#thread.ended;
  }

  /** An answer of the thread. */
  receive(answer: WriterAnswer): void {
    if ("ready" in answer) {
      this.#ready.resolve();
    } else if ("answers" in answer) {
      for (const { id, events: appended } of answer.answers) {
        const waiter = this.#take(id);
        if (waiter === undefined) continue;
        const events = appendedEvents(waiter.events, appended);
        this.#hub.publish(events);
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

  /** The thread has crashed. Without its writer the log can only be read. */
  crashed(error: unknown): void {
    this.#ready.reject(error);
    this.storageProblems.tell("failed", String(error));
    for (const waiter of this.#waiters.values()) waiter.reject(refusalOf("failed"));
    this.#waiters.clear();
  }

  #take(id: number): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    return waiter;
  }
}

/** Keeps the current problem of the log's disk and reports every change. */
export class StorageProblemWatch {
  readonly #listeners = new Set<StorageProblemListener>();
  #present: StorageProblem | undefined;
  #over = Promise.withResolvers<void>();

  constructor() {
    this.#over.resolve();
  }

  get present(): StorageProblem | undefined {
    return this.#present;
  }

  /** Resolves when there is no problem; never after a failure. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** A failure is permanent. */
  tell(storageProblem: StorageProblem | undefined, message: string): void {
    if (this.#present === "failed" || storageProblem === this.#present) return;
    if (this.#present === undefined) this.#over = Promise.withResolvers<void>();
    this.#present = storageProblem;
    if (storageProblem === undefined) this.#over.resolve();
    for (const listener of this.#listeners) listener(storageProblem, message);
  }

  listen(listener: StorageProblemListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
