import { uptime } from "node:os";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { LogFeature } from "./log-feature.ts";
import { LogWriter, type WriterRequest } from "./log-writer.ts";
import { openForWriting, type Durability } from "./open-database.ts";
import { Ballast } from "./storage/ballast.ts";
import { steadyMs } from "./storage/log-clock.ts";
import { probeFolder } from "./storage/storage-problem.ts";

/** Start parameters of the thread. */
export interface LogThreadData {
  readonly path: string;
  readonly durability: Durability;
  /** The single element counts the commits. */
  readonly commits: Int32Array;
}

/** The thread that writes the log, with the folds of these features. */
export function serveLog(features: readonly LogFeature[]): void {
  const port = parentPort;
  if (port === null) throw new Error("the log is served only in a worker thread");
  const { path, durability, commits } = workerData as LogThreadData; // started by sqlite-journal.ts
  const folder = dirname(path);
  let timer: NodeJS.Timeout | undefined;
  const writer = new LogWriter({
    db: openForWriting(path, durability, features),
    features,
    sources: { wallMs: () => Date.now(), steadyMs, uptimeMs: () => uptime() * 1000 },
    ballast: new Ballast(join(folder, "ballast")),
    probe: () => probeFolder(folder),
    tell: (answer) => port.postMessage(answer),
    committed: () => Atomics.add(commits, 0, 1),
    later(delayMs, act) {
      clearTimeout(timer);
      timer = setTimeout(act, delayMs);
    },
    soon: (act) => setImmediate(act),
  });
  port.on("message", (requests: readonly WriterRequest[]) => {
    for (const request of requests) {
      if (request !== "close") {
        writer.receive(request);
        continue;
      }
      writer.close();
      clearTimeout(timer);
      port.close();
    }
  });
}
