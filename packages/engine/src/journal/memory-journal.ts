import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import { EventAppender } from "./append-events.ts";
import { EventHub } from "./event-hub.ts";
import type { Journal } from "./journal.ts";
import type { NewEvent } from "./journal-event.ts";
import { createLogReader } from "./log-reader.ts";
import { openForWriting } from "./open-database.ts";

/** A log that lives as long as its process: for runs on the command line and for tests. */
export function openMemoryJournal(nowMs: () => number): Journal {
  const db = openForWriting(":memory:", "fast");
  const appender = new EventAppender(db);
  const hub = new EventHub(0);
  return {
    async append(events: readonly NewEvent[]): Promise<readonly (WeftEvent | null)[]> {
      const [answers = []] = appender.appendAll([events], nowMs());
      hub.publish(answers);
      return answers;
    },
    read: createLogReader(db),
    get lastSeq() {
      return hub.lastSeq;
    },
    subscribe: (listener) => hub.subscribe(listener),
    close: async () => db.close(),
  };
}
