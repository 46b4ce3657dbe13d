import { monitorEventLoopDelay } from "node:perf_hooks";

export interface AnsweredRequest {
  readonly method: string;
  /** Template of the route, `other` for pages and assets, `refused` for requests that did not pass the guard. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

type RequestCount = Omit<AnsweredRequest, "seconds"> & { count: number };

/** Nominal interval of the ticks whose actual intervals are measured. */
const TICK_MS = 20;

/** The server's own counters. All other metrics are determined when /metrics is read. */
export class Metrics {
  readonly #ticks = monitorEventLoopDelay({ resolution: TICK_MS });
  readonly #counts = new Map<string, RequestCount>();
  readonly #durations = new Map<string, Histogram>();
  sockets = 0;
  streams = 0;

  constructor() {
    this.#ticks.enable();
  }

  observe({ method, route, status, seconds }: AnsweredRequest): void {
    const key = `${method} ${route} ${status}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { method, route, status, count: 1 });
    else known.count += 1;
    const histogram = this.#durations.get(route) ?? new Histogram();
    histogram.observe(seconds);
    this.#durations.set(route, histogram);
  }

  get counts(): readonly RequestCount[] {
    return [...this.#counts.values()];
  }

  get durations(): ReadonlyMap<string, Histogram> {
    return this.#durations;
  }

  /** A percentile of the event loop's delay, in seconds. */
  eventLoopDelayS(percentile: number): number {
    return Math.max(0, this.#ticks.percentile(percentile) / 1e9 - TICK_MS / 1000);
  }

  close(): void {
    this.#ticks.disable();
  }
}

/** Upper bounds of the buckets, in seconds. */
export const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const;

/** A histogram of durations. */
export class Histogram {
  readonly #counts = BOUNDS_S.map(() => 0);
  sumS = 0;
  total = 0;

  observe(seconds: number): void {
    this.total += 1;
    this.sumS += seconds;
    const bucket = BOUNDS_S.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** The number of durations up to each bound. As in Prometheus, every bucket includes the smaller ones. */
  get cumulative(): readonly number[] {
    let sum = 0;
    return this.#counts.map((count) => (sum += count));
  }
}
