import { streamLog, type LogSource } from "../../../api/job-log-query.ts";
import { LineIndex } from "./line-index.ts";

/** What is known of a log at a moment. */
export interface LogState {
  readonly lines: number;
  readonly bytes: number;
  /** The present end has been reached once. */
  readonly reachedEnd: boolean;
  readonly error: Error | undefined;
}

const POLL_MS = 1500;
const NOTIFY_MS = 100;

/**
 * Reads through a log once to learn where its lines begin, keeping none of it, and goes on at its end while the job runs.
 * It reads as long as somebody listens.
 */
export class LogReader {
  readonly source: LogSource;
  readonly index: LineIndex;
  readonly #listeners = new Set<() => void>();
  #state: LogState;
  #stop: AbortController | undefined;
  #isLive: boolean;
  /** Ends the pause before the next reading. */
  #wake = (): void => undefined;
  #notifiedAtMs = 0;

  constructor(source: LogSource, { from, isLive }: { readonly from: number; readonly isLive: boolean }) {
    this.source = source;
    this.index = new LineIndex(from);
    this.#isLive = isLive;
    this.#state = { lines: 0, bytes: from, reachedEnd: false, error: undefined };
  }

  readonly state = (): LogState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#stop === undefined) void this.#read();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.abort();
      this.#stop = undefined;
    };
  };

  /** When the job ends, the rest is read at once and then no more. */
  setLive(isLive: boolean): void {
    this.#isLive = isLive;
    if (!isLive) this.#wake();
  }

  async #read(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    while (!stop.signal.aborted) {
      const wasLive = this.#isLive;
      // One reading after the other.
      // eslint-disable-next-line no-await-in-loop
      const error = await this.#readOnce(stop.signal);
      if (stop.signal.aborted) return;
      this.#notify({ reachedEnd: true, error });
      if (!wasLive) return;
      // eslint-disable-next-line no-await-in-loop
      await this.#pause();
    }
  }

  async #readOnce(signal: AbortSignal): Promise<Error | undefined> {
    const onBytes = (bytes: Uint8Array): void => {
      this.index.append(bytes);
      if (performance.now() - this.#notifiedAtMs > NOTIFY_MS) this.#notify({});
    };
    try {
      await streamLog(this.source, { from: this.index.bytes }, { signal, onBytes });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #notify(change: Partial<LogState>): void {
    this.#notifiedAtMs = performance.now();
    this.#state = { ...this.#state, lines: this.index.lines, bytes: this.index.bytes, ...change };
    for (const listener of this.#listeners) listener();
  }
}
