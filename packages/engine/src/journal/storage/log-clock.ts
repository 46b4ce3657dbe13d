/** The time sources of a log. */
export interface TimeSources {
  /** Milliseconds since 1970 by the machine's clock; people and programs may set it. */
  readonly wallMs: () => number;
  /** A monotonic clock; it may stop while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Time since boot, including sleep. */
  readonly uptimeMs: () => number;
}

export interface LogTime {
  readonly nowMs: number;
  /** The shift of log time by clock changes since the last call, by which pending times must be shifted too. */
  readonly movedMs: number;
}

/** Smaller differences are normal. */
const JUMP_MS = 1000;

/**
 * The time given to events. It follows the wall clock, but advances steadily while a run is open, whatever the wall
 * clock is set to: no duration becomes negative or a month too long, and nothing is due too early. When no run is open,
 * no duration can be affected, and the log follows the wall clock again. A machine that slept has not set its clock:
 * that time really passed.
 */
export class LogClock {
  readonly #sources: TimeSources;
  /** The difference between log time and steady time. */
  #offsetMs = 0;
  #sleepSinceMs = 0;

  /** `openSinceMs`: the last recorded time if an earlier server left runs open; time never goes back before it. */
  constructor(sources: TimeSources, openSinceMs = 0) {
    this.#sources = sources;
    this.#follow(Math.max(sources.wallMs(), openSinceMs));
  }

  /** The difference between log time and the steady clock. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** `isIdle` is called only after the wall clock has been set. */
  read(isIdle: () => boolean): LogTime {
    const wallMs = this.#sources.wallMs();
    const aheadMs = wallMs - this.#nowMs();
    if (Math.abs(aheadMs) < JUMP_MS) return { nowMs: this.#nowMs(), movedMs: 0 };
    const hasSlept = Math.abs(this.#asleepMs() - this.#sleepSinceMs - aheadMs) < JUMP_MS;
    if (!hasSlept && !isIdle()) return { nowMs: this.#nowMs(), movedMs: 0 };
    this.#follow(wallMs);
    return { nowMs: this.#nowMs(), movedMs: hasSlept ? 0 : aheadMs };
  }

  #nowMs(): number {
    return Math.round(this.#sources.steadyMs() + this.#offsetMs);
  }

  #follow(wallMs: number): void {
    this.#offsetMs = wallMs - this.#sources.steadyMs();
    this.#sleepSinceMs = this.#asleepMs();
  }

  /** Total time that the steady clock was stopped. */
  #asleepMs(): number {
    return this.#sources.uptimeMs() - this.#sources.steadyMs();
  }
}

/** Milliseconds on a clock shared by all threads of a process. */
export function steadyMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
