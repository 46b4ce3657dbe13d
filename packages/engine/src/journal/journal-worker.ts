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
/** Set while the disk is full: what waits is tried again then. */
let again: NodeJS.Timeout | undefined;

port.on("message", (message: AppendRequest | "close") => {
  if (message === "close") {
    commitWaiting();
    // What there is still no room for is found again by the next server.
    clearTimeout(again);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    port.close();
    return;
  }
  // What arrives while a commit is under way shares the next one.
  if (waiting.push(message) === 1 || again !== undefined) setImmediate(commitWaiting);
});
port.postMessage({ ready: true });

function commitWaiting(): void {
  clearTimeout(again);
  again = undefined;
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
    if (isFull(error)) waitForRoom(requests);
    else if (requests.length > 1) for (const request of requests) commit([request]);
    else port?.postMessage({ failed: requests.map((request) => request.id), message: String(error) });
  }
}

const SQLITE_FULL = 13;
const TRY_AGAIN_MS = 500;

function isFull(error: unknown): boolean {
  return (error as { readonly errcode?: unknown } | null)?.errcode === SQLITE_FULL;
}

/**
 * What somebody asks for is refused, for whoever asks can ask again. What has happened waits in its order until there is
 * room: a run does not end, and nothing follows from an event, before it is on record.
 */
function waitForRoom(requests: readonly AppendRequest[]): void {
  const asked = (request: AppendRequest) => request.events.some((event) => event.actor !== "engine");
  const refused = requests.filter(asked).map((request) => request.id);
  if (refused.length > 0) port?.postMessage({ full: refused });
  waiting = [...requests.filter((request) => !asked(request)), ...waiting];
  if (waiting.length > 0) again ??= setTimeout(commitWaiting, TRY_AGAIN_MS);
}
