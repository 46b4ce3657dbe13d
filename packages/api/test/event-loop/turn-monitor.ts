import { threadMs } from "@weft/shared/testing/thread-time.ts";

/**
 * Measures how much CPU time each turn of the event loop of this thread takes. CPU time and not wall time: on a busy machine,
 * a thread also waits for its core. The monitor keeps the loop turning, so that only work of the server makes a turn long.
 */
export class TurnMonitor {
  #longestMs = 0;
  #lastMs = threadMs();
  #isStopped = false;

  start(): void {
    this.#lastMs = threadMs();
    setImmediate(() => this.#turn());
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** The longest turn since the previous call, in milliseconds of a quiet machine. */
  take(): number {
    const longestMs = this.#longestMs / slowness();
    this.#longestMs = 0;
    // Measuring the machine is not part of any turn.
    this.#lastMs = threadMs();
    return longestMs;
  }

  #turn(): void {
    const now = threadMs();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastMs);
    this.#lastMs = now;
    if (!this.#isStopped) setImmediate(() => this.#turn());
  }
}

/**
 * The factor by which this thread is currently slower than on an idle machine with 2.4 GHz, at least 1, measured by a
 * fixed task that resembles requests. Dividing turns by this factor makes them comparable on slow or busy machines.
 */
function slowness(): number {
  const [, median = QUIET_MS] = [yardstickMs(), yardstickMs(), yardstickMs()].toSorted((a, b) => a - b);
  return Math.max(1, median / QUIET_MS);
}

const QUIET_MS = 12;
const YARDSTICK = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ a: index })));

function yardstickMs(): number {
  const startMs = threadMs();
  const values: Record<string, number>[] = JSON.parse(YARDSTICK);
  const names = new Set(values.flatMap((value) => Object.keys(value)));
  const text = JSON.stringify(values);
  if (names.size !== 1 || text !== YARDSTICK) throw new Error("the fixed piece of work has a wrong result");
  return threadMs() - startMs;
}
