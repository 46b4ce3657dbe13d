import type { WeftEvent } from "@weft/shared/events/event.ts";

/** Passes durable events to listeners, in order. A listener must not throw and must return quickly. */
export class EventHub {
  readonly #listeners = new Set<(events: readonly WeftEvent[]) => void>();
  #lastSeq: number;

  constructor(lastSeq: number) {
    this.#lastSeq = lastSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  publish(answers: readonly (WeftEvent | null)[]): void {
    const events = answers.filter((event) => event !== null);
    const last = events.at(-1);
    if (last === undefined) return;
    this.#lastSeq = last.seq;
    for (const listener of this.#listeners) listener(events);
  }

  subscribe(listener: (events: readonly WeftEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
