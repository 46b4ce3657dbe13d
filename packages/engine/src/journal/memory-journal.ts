import type { WeftEvent } from "@weft/shared/events/event.ts";
import { EventAppender } from "./append-events.ts";
import { EventHub } from "./event-hub.ts";
import type { Journal } from "./journal.ts";
import { appendedEvents, type NewEvent } from "./journal-event.ts";
import type { LogFeature } from "./log-feature.ts";
import { createLogReader } from "./log-reader.ts";
import { openForWriting } from "./open-database.ts";

interface Request {
  readonly events: readonly NewEvent[];
  readonly resolve: (recorded: readonly (WeftEvent | null)[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A log that exists only in memory: for runs on the command line and for tests. */
export function openMemoryJournal(nowMs: () => number, features: readonly LogFeature[] = []): Journal {
  const db = openForWriting(":memory:", "fast", features);
  const clock = { read: () => ({ nowMs: nowMs(), movedMs: 0 }), offsetMs: 0 };
  const appender = new EventAppender(db, () => clock, features);
  const hub = new EventHub(0);
  let waiting: Request[] = [];
  const commit = () => {
    const requests = waiting;
    waiting = [];
    try {
      const answers = appender
        .appendAll(requests.map(({ events }) => events))
        .map((answer, index) => appendedEvents(requests[index]?.events ?? [], answer));
      for (const recorded of answers) hub.publish(recorded);
      requests.forEach(({ resolve }, index) => resolve(answers[index] ?? []));
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  };
  return {
    append(events: readonly NewEvent[]) {
      return new Promise((resolve, reject) => {
        // Appends of one turn share a transaction.
        if (waiting.push({ events, resolve, reject }) === 1) setImmediate(commit);
      });
    },
    read: createLogReader(db, "writer", features),
    get lastSeq() {
      return hub.lastSeq;
    },
    nowMs,
    subscribe: (listener) => hub.subscribe(listener),
    storageProblem: undefined,
    well: Promise.resolve(),
    onStorageProblem: () => () => {},
    close: async () => db.close(),
  };
}
