import type { EngineEvents } from "@weft/engine/engine.ts";
import type { WeftEvent } from "@weft/shared/records/event-record.ts";

/** An event with its JSON, written once for however many watch. */
export interface WrittenEvent {
  readonly event: WeftEvent;
  readonly json: string;
}

export type EventListener = (batch: readonly WrittenEvent[]) => void;

/** Frames per second and watcher stay at 20 however fast events come. */
const BATCH_MS = 50;

/** So many are handed a batch before the server does something else: to send to hundreds at once would hold up every request. */
const LISTENERS_AT_ONCE = 25;

/** Owners of runs that are remembered; the one that was asked for first gives way. */
const MOST_OWNERS = 10_000;

/** Gathers what the engine appends for 50 ms and hands it, in order, to everyone who watches. */
export class EventBatcher {
  readonly #listeners = new Set<EventListener>();
  readonly #unsubscribe: () => void;
  readonly #owners = new Map<string, string>();
  readonly #events: EngineEvents;
  #gathered: WeftEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isHanding = false;

  constructor(events: EngineEvents) {
    this.#events = events;
    this.#unsubscribe = events.subscribe((batch) => this.#gather(batch));
  }

  /** Calls `listener` with every batch from now on; returns the way to stop. */
  add(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whose run this is, which never changes; undefined where there is none. */
  ownerOf(runId: string): string | undefined {
    const known = this.#owners.get(runId) ?? this.#events.ownerOf(runId);
    const [oldest] = this.#owners.keys();
    if (oldest !== undefined && this.#owners.size >= MOST_OWNERS) this.#owners.delete(oldest);
    if (known !== undefined) this.#owners.set(runId, known);
    return known;
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#gathered = [];
    this.#listeners.clear();
  }

  #gather(batch: readonly WeftEvent[]): void {
    if (this.#listeners.size === 0) return;
    for (const event of batch) this.#gathered.push(event);
    this.#handSoon();
  }

  /** One batch after the other, so that everybody gets them in order. */
  #handSoon(): void {
    if (!this.#isHanding) this.#timer ??= setTimeout(() => this.#hand(), BATCH_MS).unref();
  }

  #hand(): void {
    this.#timer = undefined;
    const batch = this.#gathered.map(writeEvent);
    this.#gathered = [];
    this.#isHanding = true;
    this.#handTo([...this.#listeners], batch);
  }

  /** Those who come meanwhile read the batch from the store; those who leave meanwhile want none. */
  #handTo(listeners: readonly EventListener[], batch: readonly WrittenEvent[]): void {
    for (const listener of listeners.slice(0, LISTENERS_AT_ONCE)) if (this.#listeners.has(listener)) listener(batch);
    const rest = listeners.slice(LISTENERS_AT_ONCE);
    if (rest.length > 0) {
      setImmediate(() => this.#handTo(rest, batch));
      return;
    }
    this.#isHanding = false;
    if (this.#gathered.length > 0) this.#handSoon();
  }
}

export function writeEvent(event: WeftEvent): WrittenEvent {
  return { event, json: JSON.stringify(event) };
}
