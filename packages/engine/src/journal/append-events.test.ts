import assert from "node:assert/strict";
import { it } from "node:test";
import { EventAppender } from "./append-events.ts";
import type { NewEvent } from "./journal-event.ts";
import { openForWriting } from "./open-database.ts";

const MONTH_MS = 30 * 24 * 3_600_000;

function created(runId: string): NewEvent {
  return {
    type: "run.created",
    run_id: runId,
    actor: "ann",
    data: {
      kind: "tool",
      process_id: "act",
      process_version: null,
      process_digest: "sha256:0",
      name: runId,
      tags: {},
      options: {},
      document: "sha256:0",
      document_uri: "weft-data://catalog/x.cwl",
      inputs: "sha256:0",
      samples: {},
      steps: [],
      idempotency: { key: "k", body_digest: "sha256:b" },
    },
  };
}

const UNKNOWN: NewEvent = { type: "run.started", run_id: "unknown", actor: "engine", data: {} };

it("an idempotency key lives as long as it should when the clock is set, also where the first write after that fails", () => {
  const time = { nowMs: 1000, movedMs: 0 };
  const asked: boolean[] = [];
  const read = (isIdle: () => boolean) => {
    asked.push(isIdle());
    const moved = { ...time };
    time.movedMs = 0;
    return moved;
  };
  using db = openForWriting(":memory:", "fast");
  const appender = new EventAppender(db, () => ({ read, offsetMs: 0 }));
  const isTaken = () => appender.appendAll([[created("other")]])[0]?.[0] === null;
  appender.appendAll([[created("first")]]);
  Object.assign(time, { nowMs: 1000 + MONTH_MS, movedMs: MONTH_MS });
  assert.throws(() => appender.appendAll([[UNKNOWN]]), /unknown run/);
  assert.equal(isTaken(), true);
  time.nowMs += MONTH_MS;
  assert.equal(isTaken(), false);
  assert.deepEqual(asked, [true, false, false, false]);
});

it("the clock begins behind the last event where a run is open, and anywhere else where none is", () => {
  const begun: (number | undefined)[] = [];
  using db = openForWriting(":memory:", "fast");
  const open = () =>
    new EventAppender(db, (openSinceMs) => {
      begun.push(openSinceMs);
      return { read: () => ({ nowMs: 77, movedMs: 0 }), offsetMs: 0 };
    });
  open().appendAll([[created("first")]]);
  const ended = { state: "CANCELED", outcome: "canceled", reason: null, outputs: null, files: [] } as const;
  open().appendAll([[{ type: "run.ended", run_id: "first", actor: "engine", data: ended }]]);
  open();
  assert.deepEqual(begun, [undefined, 77, undefined]);
});
