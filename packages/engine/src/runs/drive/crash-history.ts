import type { LogReader } from "../../journal/log-reader.ts";

/** Crashes without progress after which a run is no longer resumed, and the period in which they must occur. */
export const MAX_CRASHES = 3;
const WINDOW_MS = 10 * 60 * 1000;

/** Events that show progress of a run; a server may record all others again after each crash. */
export const PROGRESS = [
  "run.fetched",
  "run.paused",
  "run.resumed",
  "job.queued",
  "job.started",
  "job.retrying",
  "job.ended",
] as const;

/** The part of the log that one server wrote. */
interface Life {
  readonly firstSeq: number;
  /** First event of the next server. */
  readonly endSeq: number;
  readonly hasCrashed: boolean;
}

type CrashReader = Pick<LogReader, "serverMarks" | "activity" | "lastResumedAlone">;

/**
 * Counts the crashes of servers with a run, from the log: a server that ended without `server.stopping` crashed, and the
 * runs that it had begun or resumed were active. If it resumed suspect runs one at a time, the crash counts only against
 * the last of these.
 */
export class CrashHistory {
  readonly #read: CrashReader;
  /** Newest first, without the current server. */
  readonly #lives: readonly Life[];

  constructor(read: CrashReader, nowMs: number) {
    this.#read = read;
    this.#lives = readLives(read, nowMs - WINDOW_MS);
  }

  /** Crashes since the run's last progress, including the crash of the server under which it made that progress. */
  crashesOf(runId: string): number {
    let crashes = 0;
    for (const life of this.#lives) {
      const { isActive, isAlone, hasProgress } = this.#read.activity(runId, life, PROGRESS);
      const isBlamed = isActive && (!isAlone || this.#read.lastResumedAlone(life) === runId);
      if (life.hasCrashed && isBlamed) crashes += 1;
      if (hasProgress) break;
    }
    return crashes;
  }
}

function readLives(read: CrashReader, sinceMs: number): readonly Life[] {
  const marks = read.serverMarks(sinceMs);
  const starts = marks.filter(({ type }) => type === "server.started");
  return starts
    .slice(1)
    .map(({ seq: endSeq }, index) => {
      const firstSeq = starts[index]?.seq ?? 0;
      const isClean = marks.some(({ type, seq }) => type === "server.stopping" && seq > firstSeq && seq < endSeq);
      return { firstSeq, endSeq, hasCrashed: !isClean };
    })
    .toReversed();
}
