import type { Caller } from "@weft/engine/port/caller.ts";
import type { EngineEvents } from "@weft/engine/port/engine.ts";
import { type EventBatcher, type WrittenBatch, type WrittenEvent, writeEvent } from "./event-batcher.ts";

/** The receiver of events: a WebSocket or an event stream. */
export interface EventSink {
  /** Bytes accepted but not sent yet. */
  queuedBytes(): number;
  /** Sends events in order, and calls `sent` when they have been sent. */
  send(events: readonly WrittenEvent[], sent: () => void): void;
  /** The peer is too far behind: end the connection. It can resume by number. */
  overflow(): void;
  /** The store could not be read. */
  fail(error: unknown): void;
}

export interface EventSubscriptionOptions {
  readonly events: EngineEvents;
  readonly batcher: EventBatcher;
  /** The run; undefined for events of all runs and events without a run. */
  readonly runId: string | undefined;
  /** The caller, who gets events of visible runs and events without a run. */
  readonly caller: Caller;
  /** The last number that the peer has. */
  readonly since: number;
  readonly sink: EventSink;
}

/** A replay waits while more than this is queued. */
const REPLAY_WINDOW_BYTES = 256 * 1024;
/** A peer with more than this of live events queued is dropped. */
const QUEUE_LIMIT_BYTES = 1024 * 1024;
const PAGE_SIZE = 500;

/**
 * Everything after `since`, each event once and in order: first from the store, in pages and at the pace of the peer;
 * from the first empty page on, from the batcher.
 *
 * No event is missed, because an event is in the store before the batcher has it: events that the batcher passed on during
 * the replay came from a later page. No event is sent twice, because events up to the last number sent are dropped.
 */
export class EventSubscription {
  readonly #options: EventSubscriptionOptions;
  readonly #leaveBatcher: () => void;
  #lastSeq: number;
  #phase: "replay" | "live" | "stopped" = "replay";
  #isDue = false;

  constructor(options: EventSubscriptionOptions) {
    this.#options = options;
    this.#lastSeq = options.since;
    this.#leaveBatcher = options.batcher.add((batch) => this.#onLive(batch));
    this.#replaySoon();
  }

  stop(): void {
    this.#phase = "stopped";
    this.#leaveBatcher();
  }

  /** One page per turn: a peer may subscribe hundreds of times in one packet, and read as fast as the server writes. */
  #replaySoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#replay();
    });
  }

  /** Outside any request: a failing store ends this peer, not the process. */
  #replay(): void {
    if (this.#phase !== "replay" || this.#options.sink.queuedBytes() > REPLAY_WINDOW_BYTES) return;
    try {
      this.#sendPage();
    } catch (error) {
      this.stop();
      this.#options.sink.fail(error);
    }
  }

  #sendPage(): void {
    const { events, runId, caller } = this.#options;
    const page = events.page(caller, { runId, since: this.#lastSeq, pageSize: PAGE_SIZE });
    if (page.events.length > 0) this.#send(page.events.map(writeEvent));
    else if (page.next_page_token === "") this.#phase = "live";
    else this.#lastSeq = page.read_to;
    this.#replaySoon();
  }

  #onLive(batch: WrittenBatch): void {
    if (this.#phase !== "live") return;
    const { runId, caller } = this.#options;
    const visible = batch.visibleTo(caller);
    const selected = visible.filter(
      ({ event }) => event.seq > this.#lastSeq && (runId === undefined || event.run_id === runId),
    );
    // If nothing is filtered out, pass on the array itself: sinks recognize an array that they have serialized.
    const fresh = selected.length === visible.length ? visible : selected;
    if (fresh.length === 0) return;
    if (this.#options.sink.queuedBytes() <= QUEUE_LIMIT_BYTES) {
      this.#send(fresh);
      return;
    }
    this.stop();
    this.#options.sink.overflow();
  }

  #send(events: readonly WrittenEvent[]): void {
    this.#lastSeq = events.at(-1)?.event.seq ?? this.#lastSeq;
    this.#options.sink.send(events, () => this.#replaySoon());
  }
}
