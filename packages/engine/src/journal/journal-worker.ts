import { uptime } from "node:os";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { EventAppender } from "./append-events.ts";
import { openForWriting } from "./open-database.ts";
import type { Durability } from "./open-database.ts";
import { Ballast } from "./storage/ballast.ts";
import { GroupWriter } from "./storage/group-writer.ts";
import type { AppendRequest } from "./storage/group-writer.ts";
import { LogClock, steadyMs } from "./storage/log-clock.ts";
import { probeFolder, storageProblemOf } from "./storage/storage-problem.ts";

/** Start parameters of the worker. */
export interface JournalWorkerData {
  readonly path: string;
  readonly durability: Durability;
  /** Its single element counts the commits. */
  readonly commits: Int32Array;
}

const port = parentPort;
if (port === null) throw new Error("journal-worker runs only in a worker thread");
const { path, durability, commits } = workerData as JournalWorkerData; // started by sqlite-journal.ts
const folder = dirname(path);
const db = openForWriting(path, durability);
const sources = { wallMs: () => Date.now(), steadyMs, uptimeMs: () => uptime() * 1000 };
const appender = new EventAppender(db, (openSinceMs) => new LogClock(sources, openSinceMs));
const ballast = new Ballast(join(folder, "ballast"));
const probe = () => probeFolder(folder);
let timer: NodeJS.Timeout | undefined;
let offsetMs = NaN;

const writer = new GroupWriter({
  commit(batches) {
    const answers = appender.appendAll(batches);
    Atomics.add(commits, 0, 1);
    tellTime();
    return answers;
  },
  storageProblemOf: (error) => storageProblemOf(error, probe),
  mayBeOver(storageProblem) {
    if (storageProblem === "full") return ballast.restore();
    return storageProblem === "locked" || probe() === undefined;
  },
  releaseBallast: () => ballast.giveUp(),
  tell: (message) => port.postMessage(message),
  later(delayMs, act) {
    clearTimeout(timer);
    timer = setTimeout(act, delayMs);
  },
  steadyMs,
});

port.on("message", (message: AppendRequest | "close") => {
  if (message === "close") return close();
  // Requests that arrive during a commit share the next one.
  if (writer.add(message)) setImmediate(() => writer.flush());
});
tellTime();
port.postMessage({ ready: true });

/** The offset of log time, if it has changed since the last message. */
function tellTime(): void {
  if (appender.clockOffsetMs === offsetMs) return;
  offsetMs = appender.clockOffsetMs;
  port?.postMessage({ offsetMs });
}

/** The next server finds out what cannot be written by now. */
function close(): void {
  writer.flush();
  clearTimeout(timer);
  // A failed sync must not be repeated: a successful close would be misleading.
  if (!writer.hasFailed) closeDatabase();
  port?.close();
}

function closeDatabase(): void {
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // It is in the write-ahead log anyway.
  }
  db.close();
}
