import type { TreeUse, TreeUses } from "./tree-use.ts";

const FIRST_MS = 100;
const LONGEST_MS = 2000;

interface Sampled {
  readonly sinceMs: number;
  dueMs: number;
  peakBytes: number | null;
}

export interface SamplerOptions {
  /** Measures the processes below each root. */
  readonly measure: (roots: readonly number[]) => Promise<TreeUses>;
  /** Called with each sample of a watched root. */
  readonly onSample?: (root: number, use: TreeUse) => void;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/**
 * Samples what jobs use: soon after their start, then at intervals that grow to two seconds. The kernel keeps each
 * process's peak of memory, so rare samples miss little. Jobs shorter than a tenth of a second cost nothing and are not
 * measured.
 */
export class UseSampler {
  readonly #options: SamplerOptions;
  readonly #roots = new Map<number, Sampled>();
  #isAsking = false;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  watch(root: number): void {
    const sinceMs = this.#options.now();
    this.#roots.set(root, { sinceMs, dueMs: sinceMs + FIRST_MS, peakBytes: null });
  }

  /** Stops sampling and returns the maximum of memory, in bytes; null if there was no sample. */
  take(root: number): number | null {
    const sampled = this.#roots.get(root);
    this.#roots.delete(root);
    return sampled?.peakBytes ?? null;
  }

  /** Call it often: samples what is due, unless the last sample is still in progress. */
  async look(): Promise<void> {
    const now = this.#options.now();
    const due = [...this.#roots].filter(([, { dueMs }]) => dueMs <= now);
    if (due.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    for (const [, sampled] of due) sampled.dueMs = now + Math.min(LONGEST_MS, now - sampled.sinceMs);
    try {
      this.#keep(await this.#options.measure(due.map(([root]) => root)));
    } finally {
      this.#isAsking = false;
    }
  }

  #keep(uses: TreeUses): void {
    for (const [root, use] of uses) {
      const sampled = this.#roots.get(root);
      if (sampled === undefined) continue;
      if (use.bytes > 0) sampled.peakBytes = Math.max(sampled.peakBytes ?? 0, use.bytes);
      this.#options.onSample?.(root, use);
    }
  }
}
