import { parentPort, workerData } from "node:worker_threads";
import { EventAppender } from "./append-events.ts";
import type { NewEvent } from "./journal-event.ts";
import { openForWriting } from "./open-database.ts";
import type { Durability } from "./open-database.ts";

export interface AppendRequest {
  readonly id: number;
  readonly events: readonly NewEvent[];
}

const port = parentPort;
if (port === null) throw new Error("journal-worker runs in a worker thread only");
const { path, durability } = workerData as { path: string; durability: Durability }; // sqlite-journal.ts starts us
const db = openForWriting(path, durability);
const appender = new EventAppender(db);
let waiting: AppendRequest[] = [];

port.on("message", (message: AppendRequest | "close") => {
  if (message === "close") {
    commitWaiting();
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    port.close();
    return;
  }
  // What arrives while a commit is under way shares the next one.
  if (waiting.push(message) === 1) setImmediate(commitWaiting);
});
port.postMessage({ ready: true });

function commitWaiting(): void {
  const requests = waiting;
  waiting = [];
  if (requests.length > 0) commit(requests);
}

/** A batch that cannot be written must not take the others of its transaction with it. */
function commit(requests: readonly AppendRequest[]): void {
  try {
    const answers = appender.appendAll(
      requests.map((request) => request.events),
      Date.now(),
    );
    port?.postMessage({ answers: requests.map((request, index) => ({ id: request.id, events: answers[index] })) });
  } catch (error) {
    if (requests.length > 1) for (const request of requests) commit([request]);
    else port?.postMessage({ failed: requests.map((request) => request.id), message: String(error) });
  }
}
