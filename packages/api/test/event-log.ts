import { EventAppender } from "@weft/engine/journal/append-events.ts";
import { appendedEvents, type NewEvent } from "@weft/engine/journal/journal-event.ts";
import { EventHub } from "@weft/engine/journal/event-hub.ts";
import { createLogReader } from "@weft/engine/journal/log-reader.ts";
import { openForWriting } from "@weft/engine/journal/open-database.ts";
import type { EngineEvents } from "@weft/engine/port/engine.ts";
import { createEventService } from "@weft/engine/access/event-service.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { runCreated } from "@weft/engine/journal/testing/new-events.ts";

/** A log in memory with the engine's event service, for tests that append events themselves. */
export class EventLog {
  readonly service: EngineEvents;
  /** Number of current listeners. */
  listeners = 0;
  readonly #hub = new EventHub(0);
  readonly #appender: EventAppender;
  readonly #runs = new Set<string>();

  constructor() {
    const db = openForWriting(":memory:", "fast");
    this.#appender = new EventAppender(db, () => ({ read: () => ({ nowMs: 0, movedMs: 0 }), offsetMs: 0 }));
    const hub = this.#hub;
    this.service = createEventService({
      read: createLogReader(db, "writer"),
      get lastSeq() {
        return hub.lastSeq;
      },
      subscribe: (listener) => {
        this.listeners += 1;
        const leave = hub.subscribe(listener);
        return () => {
          this.listeners -= 1;
          leave();
        };
      },
    });
  }

  /** Appends events of a run or of none, and announces them as one batch. The first event of a run creates it for `owner`. */
  append(runId: string | null, count = 1, { owner = "local", text = "0.2.0" } = {}): void {
    this.announce(this.store(runId, count, { owner, text }));
  }

  /** Only stores events: the state between the commit and its notification. */
  store(runId: string | null, count: number, { owner = "local", text = "0.2.0" } = {}): readonly (WeftEvent | null)[] {
    const events = Array.from({ length: count }, (): NewEvent => {
      if (runId === null)
        return { type: "server.started", run_id: null, actor: "engine", data: { version: text, pid: 1 } };
      if (this.#runs.has(runId)) return { type: "run.described", run_id: runId, actor: owner, data: { note: text } };
      this.#runs.add(runId);
      return { ...runCreated(runId, { kind: "network" }, owner), blobs: [{ digest: "sha256:0", text: "{}" }] };
    });
    const [answers = []] = this.#appender.appendAll([events]);
    return appendedEvents(events, answers);
  }

  announce(events: readonly (WeftEvent | null)[]): void {
    this.#hub.publish(events);
  }
}
