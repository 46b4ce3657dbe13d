import { monitorEventLoopDelay } from "node:perf_hooks";
import { Histogram } from "./histogram.ts";

export interface AnsweredRequest {
  readonly method: string;
  /** Template of the route, `other` for pages and assets, `refused` for requests that did not pass the guard. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

export interface RequestCount {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  count: number;
}

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
