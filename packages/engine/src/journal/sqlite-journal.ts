import { Worker } from "node:worker_threads";
import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { EventHub } from "./event-hub.ts";
import type { Journal } from "./journal.ts";
import type { NewEvent } from "./journal-event.ts";
import { createLogReader } from "./log-reader.ts";
import { openForReading } from "./open-database.ts";
import type { Durability } from "./open-database.ts";

type Answer =
  | { readonly ready: true }
  | { readonly answers: readonly { readonly id: number; readonly events: readonly (WeftEvent | null)[] }[] }
  /** Requests that were refused because the disk is full. */
  | { readonly full: readonly number[] }
  | { readonly failed: readonly number[]; readonly message: string };

const DISK_FULL = "The disk of the state folder is full. Runs go on when there is room again; ask again then.";

interface Waiter {
  readonly resolve: (events: readonly (WeftEvent | null)[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The log in a file. One worker thread writes, so that waiting for the disk never holds up the server; what arrives
 * during a commit shares the next one. Reading happens here, on a connection of its own.
 */
export async function openSqliteJournal(path: string, durability: Durability): Promise<Journal> {
  const worker = new Worker(new URL("./journal-worker.ts", import.meta.url), { workerData: { path, durability } });
  await ready(worker);
  const db = openForReading(path);
  const read = createLogReader(db);
  const hub = new EventHub(read.lastSeq());
  const waiters = new Map<number, Waiter>();
  let lastId = 0;
  let closed = false;
  worker.on("message", (answer: Answer) => settle(answer, waiters, hub));
  worker.on("error", (error) => rejectAll(waiters, new Error("the journal's writer stopped", { cause: error })));
  return {
    append(events: readonly NewEvent[]) {
      if (closed) return Promise.reject(new Refusal("draining", "The server is shutting down."));
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiters.set(id, { resolve, reject });
        worker.postMessage({ id, events });
      });
    },
    read,
    get lastSeq() {
      return hub.lastSeq;
    },
    subscribe: (listener) => hub.subscribe(listener),
    async close() {
      closed = true;
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.postMessage("close");
      await ended;
      // Reading goes on until the process ends: the server may still be answering somebody.
    },
  };
}

function ready(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    // Node's watch mode sends messages of its own through a worker's port.
    const hear = (answer: object) => {
      if (!("ready" in answer)) return;
      worker.off("error", reject).off("message", hear);
      resolve();
    };
    worker.once("error", reject);
    worker.on("message", hear);
  });
}

function settle(answer: Answer, waiters: Map<number, Waiter>, hub: EventHub): void {
  if ("answers" in answer) {
    for (const { id, events } of answer.answers) {
      hub.publish(events);
      waiters.get(id)?.resolve(events);
      waiters.delete(id);
    }
  } else if ("full" in answer) {
    for (const id of answer.full) {
      waiters.get(id)?.reject(new Refusal("disk-full", DISK_FULL, { headers: { "Retry-After": "30" } }));
      waiters.delete(id);
    }
  } else if ("failed" in answer) {
    for (const id of answer.failed) {
      waiters.get(id)?.reject(new Error(`the journal could not be written: ${answer.message}`));
      waiters.delete(id);
    }
  }
}

function rejectAll(waiters: Map<number, Waiter>, error: Error): void {
  for (const waiter of waiters.values()) waiter.reject(error);
  waiters.clear();
}
