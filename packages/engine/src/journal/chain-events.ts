import type { DatabaseSync } from "node:sqlite";
import { eventHash, FIRST_HASH } from "./event-hash.ts";
import { toStoredEvent } from "./stored-event.ts";

/** Adds hashes to the events of an older log; within the transaction of a migration. */
export function chainEvents(db: DatabaseSync): void {
  const write = db.prepare("UPDATE events SET hash = ? WHERE seq = ?");
  let previous = FIRST_HASH;
  for (let events = readAfter(db, 0); events.length > 0; events = readAfter(db, events.at(-1)?.seq ?? 0)) {
    for (const event of events) {
      previous = eventHash(previous, event);
      write.run(previous, event.seq);
    }
  }
}

const BATCH = 1000;

/** Reads rows in batches, because the caller updates them. */
function readAfter(db: DatabaseSync, seq: number) {
  return db.prepare("SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?").all(seq, BATCH).map(toStoredEvent);
}
