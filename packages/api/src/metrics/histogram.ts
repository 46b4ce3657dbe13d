/** Upper bounds of the buckets, in seconds. */
export const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const;

/** A histogram of durations. */
export class Histogram {
  readonly #counts = BOUNDS_S.map(() => 0);
  #sumS = 0;
  #total = 0;

  observe(seconds: number): void {
    this.#total += 1;
    this.#sumS += seconds;
    const bucket = BOUNDS_S.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** The number of durations up to each bound. As in Prometheus, every bucket includes the smaller ones. */
  get cumulative(): readonly number[] {
    let sum = 0;
    return this.#counts.map((count) => (sum += count));
  }

  get sumS(): number {
    return this.#sumS;
  }

  get total(): number {
    return this.#total;
  }
}
