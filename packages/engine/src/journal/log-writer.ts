import type { DatabaseSync } from "node:sqlite";
import { EventAppender } from "./append-events.ts";
import type { Ballast } from "./storage/ballast.ts";
import { GroupWriter, type AppendRequest, type WriterMessage, type WriterPorts } from "./storage/group-writer.ts";
import type { LogFeature } from "./log-feature.ts";
import { LogClock, type TimeSources } from "./storage/log-clock.ts";
import { storageProblemOf } from "./storage/storage-problem.ts";

export type WriterRequest = AppendRequest | "close";

/** The machine clock's offset from the steady clock whenever it changes, and `ready` once. */
export type WriterAnswer = WriterMessage | { readonly offsetMs: number } | { readonly ready: true };

export interface LogWriterPorts extends Pick<WriterPorts, "later"> {
  readonly db: DatabaseSync;
  readonly features: readonly LogFeature[];
  readonly sources: TimeSources;
  readonly ballast: Pick<Ballast, "giveUp" | "restore">;
  /** Writes a small file next to the database; returns the system's error code on failure. */
  readonly probe: () => string | undefined;
  readonly tell: (answer: WriterAnswer) => void;
  /** Called after each commit, before the answers are sent. */
  readonly committed: () => void;
  /** Lets more requests arrive before it acts. */
  readonly soon: (act: () => void) => void;
}

/** The logic of the thread that writes the log. Requests that arrive during a commit share the next one. */
export class LogWriter {
  readonly #ports: LogWriterPorts;
  readonly #appender: EventAppender;
  readonly #group: GroupWriter;
  #offsetMs = NaN;

  constructor(ports: LogWriterPorts) {
    this.#ports = ports;
    const { db, features, sources, ballast, probe, tell, later } = ports;
    this.#appender = new EventAppender(db, (openSinceMs) => new LogClock(sources, openSinceMs), features);
    this.#group = new GroupWriter({
      commit: (batches) => {
        const answers = this.#appender.appendAll(batches);
        ports.committed();
        this.#sendClockOffset();
        return answers;
      },
      storageProblemOf: (error) => storageProblemOf(error, probe),
      mayBeOver(storageProblem) {
        if (storageProblem === "full") return ballast.restore();
        return storageProblem === "locked" || probe() === undefined;
      },
      releaseBallast: () => ballast.giveUp(),
      tell,
      later,
      steadyMs: sources.steadyMs,
    });
    this.#sendClockOffset();
    tell({ ready: true });
  }

  receive(request: AppendRequest): void {
    if (this.#group.add(request)) this.#ports.soon(() => this.#group.flush());
  }

  /** The next server finds out what cannot be written by now. */
  close(): void {
    this.#group.flush();
    // A failed sync must not be repeated: a successful close would be misleading.
    if (!this.#group.hasFailed) closeDatabase(this.#ports.db);
  }

  /** The offset of log time, if it has changed since the last message. */
  #sendClockOffset(): void {
    const { clockOffsetMs } = this.#appender;
    if (clockOffsetMs === this.#offsetMs) return;
    this.#offsetMs = clockOffsetMs;
    this.#ports.tell({ offsetMs: clockOffsetMs });
  }
}

function closeDatabase(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The event is in the write-ahead log anyway.
  }
  db.close();
}
