import type { Caller } from "@weft/engine/port/caller.ts";
import type { EngineEvents, EventBatch } from "@weft/engine/port/engine.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";

/** An event with its JSON, serialized once for all watchers. */
export interface WrittenEvent {
  readonly event: WeftEvent;
  readonly json: string;
}

/** Events, filtered for each caller. */
export interface WrittenBatch {
  /** The events that a caller may see. Callers with equal rights get the same array. */
  visibleTo(caller: Caller): readonly WrittenEvent[];
}

export type EventListener = (batch: WrittenBatch) => void;

/** Each watcher gets at most 20 frames per second, however fast events arrive. */
const BATCH_MS = 50;

/** Listeners that get a batch before the server yields: sending to hundreds in one turn would delay every request. */
const LISTENERS_AT_ONCE = 25;

/** Collects the engine's events for 50 ms and passes them, in order, to every listener. */
export class EventBatcher {
  readonly #listeners = new Set<EventListener>();
  readonly #unsubscribe: () => void;
  #gathered: EventBatch[] = [];
  #lastMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isHanding = false;

  constructor(events: EngineEvents) {
    this.#unsubscribe = events.subscribe((batch) => this.#gather(batch));
  }

  /** Calls `listener` with every batch from now on; returns a function that stops this. */
  add(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Milliseconds since the last event, or since the server started. */
  quietMs(): number {
    return Math.floor(performance.now() - this.#lastMs);
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#gathered = [];
    this.#listeners.clear();
  }

  #gather(batch: EventBatch): void {
    this.#lastMs = performance.now();
    if (this.#listeners.size === 0) return;
    this.#gathered.push(batch);
    this.#handSoon();
  }

  /** Passes on one batch after another, so that every listener gets them in order. */
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

  /** Listeners added meanwhile read the batch from the store; those removed meanwhile are skipped. */
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
