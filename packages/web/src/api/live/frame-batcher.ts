import type { WeftEvent } from "@weft/shared/events/event.ts";

const HIDDEN_FLUSH_MS = 1000;

/** Collects events and hands them on once per painted frame, or once a second while the tab is hidden. */
export class FrameBatcher {
  readonly #flush: (events: readonly WeftEvent[]) => void;
  #waiting: WeftEvent[] = [];

  constructor(flush: (events: readonly WeftEvent[]) => void) {
    this.#flush = flush;
  }

  add(events: readonly WeftEvent[]): void {
    if (this.#waiting.length === 0) this.#schedule();
    this.#waiting.push(...events);
  }

  #schedule(): void {
    const run = (): void => {
      const events = this.#waiting;
      this.#waiting = [];
      this.#flush(events);
    };
    if (document.hidden) setTimeout(run, HIDDEN_FLUSH_MS);
    else requestAnimationFrame(run);
  }
}
