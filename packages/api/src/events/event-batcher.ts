import type { Caller, EngineEvents, EventBatch } from "@weft/engine/port/engine.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";

/** An event with its JSON, written once for however many watch. */
export interface WrittenEvent {
  readonly event: WeftEvent;
  readonly json: string;
}

/** Events, filtered for each caller. */
export interface WrittenBatch {
  /** Callers with equal rights get the same array. */
  visibleTo(caller: Caller): readonly WrittenEvent[];
}

export type EventListener = (batch: WrittenBatch) => void;

/** Frames per second and watcher stay at 20 however fast events come. */
const BATCH_MS = 50;

/** So many are handed a batch before the server does something else: to send to hundreds at once would hold up every request. */
const LISTENERS_AT_ONCE = 25;

/** Gathers what the engine appends for 50 ms and hands it, in order, to everyone who watches. */
export class EventBatcher {
  readonly #listeners = new Set<EventListener>();
  readonly #unsubscribe: () => void;
  #gathered: EventBatch[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isHanding = false;

  constructor(events: EngineEvents) {
    this.#unsubscribe = events.subscribe((batch) => this.#gather(batch));
  }

  /** Calls `listener` with every batch from now on; returns the way to stop. */
  add(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#gathered = [];
    this.#listeners.clear();
  }

  #gather(batch: EventBatch): void {
    if (this.#listeners.size === 0) return;
    this.#gathered.push(batch);
    this.#handSoon();
  }

  /** One batch after the other, so that everybody gets them in order. */
  #handSoon(): void {
    if (!this.#isHanding) this.#timer ??= setTimeout(() => this.#hand(), BATCH_MS).unref();
  }

  #hand(): void {
    this.#timer = undefined;
    const batch = writtenBatch(this.#gathered);
    this.#gathered = [];
    this.#isHanding = true;
    this.#handTo([...this.#listeners], batch);
  }

  /** Those who come meanwhile read the batch from the store; those who leave meanwhile want none. */
  #handTo(listeners: readonly EventListener[], batch: WrittenBatch): void {
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

/** Serializes each event once for all callers, and assembles each view once. */
function writtenBatch(batches: readonly EventBatch[]): WrittenBatch {
  const written = new Map<WeftEvent, WrittenEvent>();
  const views: { readonly parts: readonly (readonly WeftEvent[])[]; readonly events: readonly WrittenEvent[] }[] = [];
  const write = (event: WeftEvent): WrittenEvent => {
    const known = written.get(event) ?? writeEvent(event);
    written.set(event, known);
    return known;
  };
  return {
    visibleTo(caller) {
      const parts = batches.map((batch) => batch.visibleTo(caller));
      const known = views.find((view) => view.parts.every((part, index) => part === parts[index]));
      if (known !== undefined) return known.events;
      const events = parts.flat().map(write);
      views.push({ parts, events });
      return events;
    },
  };
}

export function writeEvent(event: WeftEvent): WrittenEvent {
  return { event, json: JSON.stringify(event) };
}
