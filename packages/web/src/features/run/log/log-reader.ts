import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type LogSource, streamLog } from "../../../api/queries/job-queries.ts";
import { LineIndex } from "./line-index.ts";

/** State of the log index. */
export interface LogState {
  readonly lines: number;
  readonly bytes: number;
  /** True once the index has reached the end of the log. */
  readonly reachedEnd: boolean;
  readonly error: Error | undefined;
}

const POLL_MS = 1500;
const NOTIFY_MS = 100;

/**
 * Reads a log once to index its lines, without keeping the text, and follows its end while the job runs. Reads only
 * while it has listeners.
 */
export class LogReader {
  readonly source: LogSource;
  readonly index: LineIndex;
  readonly #listeners = new Set<() => void>();
  #state: LogState;
  #stop: AbortController | undefined;
  #isLive: boolean;
  /** Ends the pause before the next read. */
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

  /** When the job ends, reads the rest at once and stops. */
  setLive(isLive: boolean): void {
    this.#isLive = isLive;
    if (!isLive) this.#wake();
  }

  async #read(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    while (!stop.signal.aborted) {
      const wasLive = this.#isLive;
      // Reads are sequential.
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

/** Reads a log from an offset while the calling component is mounted. Ignores later changes of `from` and `live`. */
export function useLogReader(
  { runId, jobId, stream }: LogSource,
  from: number,
  live: boolean,
): { readonly reader: LogReader; readonly state: LogState } {
  const [first] = useState({ from, isLive: live });
  const reader = useMemo(() => new LogReader({ runId, jobId, stream }, first), [runId, jobId, stream, first]);
  useEffect(() => reader.setLive(live), [reader, live]);
  return { reader, state: useSyncExternalStore(reader.subscribe, reader.state) };
}
