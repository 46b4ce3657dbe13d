import assert from "node:assert/strict";
import { it } from "node:test";
import { AUTOMATIONS } from "../automate/fold-automations.ts";
import { EventAppender } from "./append-events.ts";
import type { NewEvent } from "./journal-event.ts";
import { openForWriting } from "./open-database.ts";
import { runCreated, runEnded } from "./testing/new-events.ts";

const MONTH_MS = 30 * 24 * 3_600_000;

const created = (runId: string, actor?: string) =>
  runCreated(runId, { idempotency: { key: "k", body_digest: "sha256:b" } }, actor);

const UNKNOWN: NewEvent = { type: "run.started", run_id: "unknown", actor: "engine", data: {} };

it("an idempotency key keeps its lifetime when the clock is set, even if the first write after that fails", () => {
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

it("the clock begins after the last event if a run is open, and anywhere otherwise", () => {
  const begun: (number | undefined)[] = [];
  using db = openForWriting(":memory:", "fast");
  const open = () =>
    new EventAppender(db, (openSinceMs) => {
      begun.push(openSinceMs);
      return { read: () => ({ nowMs: 77, movedMs: 0 }), offsetMs: 0 };
    });
  open().appendAll([[created("first")]]);
  open().appendAll([[runEnded("first", "canceled")]]);
  open();
  assert.deepEqual(begun, [undefined, 77, undefined]);
});

it("outputs that a server recorded before it was killed are replaced, or removed if the run ends without any", () => {
  const file = (name: string) => ({
    port: "all",
    name,
    uri: `weft-data://runs/x/${name}`,
    checksum: "sha1$0",
    size: 1,
  });
  const part = (runId: string, first: number, names: readonly string[]): NewEvent => {
    const data = { first, files: names.map(file) };
    return { type: "run.outputs", run_id: runId, actor: "engine", data };
  };
  const end = (runId: string, names: readonly string[], before?: number): NewEvent => {
    const files = { files: names.map(file), ...(before === undefined ? {} : { files_before: before }) };
    const data = { state: "COMPLETE", outcome: "success", reason: null, outputs: null, ...files } as const;
    return { type: "run.ended", run_id: runId, actor: "engine", data };
  };
  using db = openForWriting(":memory:", "fast");
  const appender = new EventAppender(db, () => ({ read: () => ({ nowMs: 1, movedMs: 0 }), offsetMs: 0 }));
  const namesOf = (runId: string) =>
    db
      .prepare("SELECT name FROM files WHERE run_id = ? ORDER BY id")
      .all(runId)
      .map(({ name }) => name);
  for (const run of ["many", "none"]) {
    appender.appendAll([[created(run, run)]]);
    appender.appendAll([[part(run, 0, ["a", "b"])]]);
  }
  appender.appendAll([[part("many", 0, ["a", "b"])], [part("many", 2, ["c"])], [end("many", ["d"], 3)]]);
  assert.deepEqual(namesOf("many"), ["a", "b", "c", "d"]);
  appender.appendAll([[end("none", [])]]);
  assert.deepEqual(namesOf("none"), []);
});

it("a refused run leaves no record, so its automation can start it later", () => {
  const [automation_id, key] = ["7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10", "sub-01"];
  const trigger = { kind: "run-ended", network: "first" } as const;
  const settings = { name: "a", network: "second", trigger, mode: "new", settle_s: 0, max_runs_per_day: 9 } as const;
  const automate = { type: "automation.created", run_id: null, actor: "ann" } as const;
  const pruned = { type: "upload.pruned", run_id: null, actor: "ann", data: { upload_id: "u", bytes: 1 } } as const;
  using db = openForWriting(":memory:", "fast", [AUTOMATIONS]);
  const appender = new EventAppender(db, () => ({ read: () => ({ nowMs: 1, movedMs: 0 }), offsetMs: 0 }), [
    AUTOMATIONS,
  ]);
  const create = (runId: string, uses: readonly string[]) => {
    const event = created(runId);
    const data = { ...event.data, uses: [...uses], automation: { automation_id, keys: [key] } };
    return appender.appendAll([[{ ...event, data }]])[0]?.[0] !== null;
  };
  appender.appendAll([[{ ...automate, data: { automation_id, owner: "ann", settings } }, pruned]]);
  assert.equal(create("too late", ["uploads/u"]), false);
  for (const table of ["automation_keys", "idempotency", "runs"])
    assert.equal(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"], 0, table);
  assert.deepEqual([create("in time", []), create("again", [])], [true, false]);
});
