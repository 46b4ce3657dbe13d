import type { LogReader } from "../journal/log-reader.ts";

/** Crashes without progress after which a run is not resumed any more, and the time in which they must lie. */
export const MAX_CRASHES = 3;
const WINDOW_MS = 10 * 60 * 1000;

/** What a server records of a run when the run gets further; everything else it may record again after each crash. */
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
  /** The first of the next server. */
  readonly endSeq: number;
  readonly hasCrashed: boolean;
}

type CrashReader = Pick<LogReader, "serverMarks" | "activity" | "lastResumedAlone">;

/**
 * How often servers crashed with a run, as the log tells: a server that ended without `server.stopping` crashed, and the
 * runs that it had begun or resumed were active. Where it resumed runs one at a time, because servers had crashed with
 * them before, the crash counts for the last of these alone.
 */
export class CrashHistory {
  readonly #read: CrashReader;
  /** Newest first, without the server that asks. */
  readonly #lives: readonly Life[];

  constructor(read: CrashReader, nowMs: number) {
    this.#read = read;
    this.#lives = readLives(read, nowMs - WINDOW_MS);
  }

  /** Crashes since the run got further, the one before which it did so included. */
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
