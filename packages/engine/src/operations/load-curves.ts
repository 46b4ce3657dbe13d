import type { ServerLoad } from "@weft/shared/records/operations-record.ts";
import type { JobSpan } from "../journal/read-measures.ts";

export const LOAD_INTERVALS = 120;

export type JobLoad = ServerLoad["jobs"][number];

/** The average load of jobs in each of `LOAD_INTERVALS` intervals between two times. */
export function loadCurves(spans: readonly JobSpan[], fromMs: number, toMs: number): JobLoad[] {
  const curve = () => new Curve(fromMs, (toMs - fromMs) / LOAD_INTERVALS);
  const [running, waiting, cores, ram] = [curve(), curve(), curve(), curve()];
  for (const span of spans) {
    const endMs = span.endedMs ?? toMs;
    const startMs = span.startedMs ?? endMs;
    waiting.add(span.queuedMs, startMs, 1);
    running.add(startMs, endMs, 1);
    cores.add(startMs, endMs, span.cores);
    ram.add(startMs, endMs, span.ramBytes);
  }
  const [runningNow, waitingNow, coresNow, ramNow] = [running, waiting, cores, ram].map((each) => each.averages());
  return Array.from({ length: LOAD_INTERVALS }, (_, index) => ({
    running: runningNow?.[index] ?? 0,
    waiting: waitingNow?.[index] ?? 0,
    cores: coresNow?.[index] ?? 0,
    ram_bytes: Math.round(ramNow?.[index] ?? 0),
  }));
}

/** Sums of weights over time. A span costs the same however long it is. */
class Curve {
  readonly #fromMs: number;
  readonly #widthMs: number;
  /** Shares of single intervals. */
  readonly #parts = new Float64Array(LOAD_INTERVALS);
  /** Change of the level of whole intervals. */
  readonly #steps = new Float64Array(LOAD_INTERVALS + 1);

  constructor(fromMs: number, widthMs: number) {
    this.#fromMs = fromMs;
    this.#widthMs = widthMs;
  }

  add(startMs: number, endMs: number, weight: number): void {
    const within = (ms: number) => Math.min(LOAD_INTERVALS, Math.max(0, (ms - this.#fromMs) / this.#widthMs));
    const [start, end] = [within(startMs), within(endMs)];
    if (end <= start) return;
    const [first, last] = [Math.floor(start), Math.floor(end)];
    this.#step(first, weight);
    this.#step(last, -weight);
    this.#part(first, -(start - first) * weight);
    this.#part(last, (end - last) * weight);
  }

  averages(): number[] {
    let level = 0;
    return Array.from(this.#parts, (part, index) => {
      level += this.#steps[index] ?? 0;
      // Sums of fractions drift.
      return Math.max(0, Math.round((level + part) * 1000) / 1000);
    });
  }

  #step(index: number, weight: number): void {
    this.#steps[index] = (this.#steps[index] ?? 0) + weight;
  }

  #part(index: number, weight: number): void {
    if (index < LOAD_INTERVALS) this.#parts[index] = (this.#parts[index] ?? 0) + weight;
  }
}
