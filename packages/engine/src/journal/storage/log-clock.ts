/** Where a log takes its time from. */
export interface TimeSources {
  /** Milliseconds since 1970, as the machine believes at present; people and programs may set it. */
  readonly wallMs: () => number;
  /** A clock that only goes forward, at its own pace; it may stop while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Time since the machine was started, sleep included. */
  readonly uptimeMs: () => number;
}

export interface LogTime {
  readonly nowMs: number;
  /** How far the log has followed a clock that was set, since it was last asked: what is to last a time must be moved along. */
  readonly movedMs: number;
}

/** Differences below this are how clocks are. */
const JUMP_MS = 1000;

/**
 * The time that events are given. It is the wall clock's, but while a run is open it goes on at a steady pace whatever the
 * wall clock is set to: no duration is negative or a month too long, nothing is due too early. When no run is open, no
 * duration can be spoilt, and the log follows the wall clock. A machine that slept is not a clock that was set: that time has
 * really passed.
 */
export class LogClock {
  readonly #sources: TimeSources;
  /** How far log time is ahead of steady time. */
  #offsetMs = 0;
  #sleepSinceMs = 0;

  /** `openSinceMs`: the last time on record while runs are open that an earlier server left; time does not go back behind it. */
  constructor(sources: TimeSources, openSinceMs = 0) {
    this.#sources = sources;
    this.#follow(Math.max(sources.wallMs(), openSinceMs));
  }

  /** How far log time is ahead of the steady clock. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** `isIdle` is asked only after the wall clock was set. */
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

  /** How long the steady clock has stood still, all in all. */
  #asleepMs(): number {
    return this.#sources.uptimeMs() - this.#sources.steadyMs();
  }
}

/** Milliseconds on a clock that all threads of a process share. */
export function steadyMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
