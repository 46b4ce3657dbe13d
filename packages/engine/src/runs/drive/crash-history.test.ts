import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewEvent } from "../../journal/journal-event.ts";
import { openMemoryJournal } from "../../journal/memory-journal.ts";
import { CrashHistory } from "./crash-history.ts";
import { jobQueued, runCreated } from "../../journal/testing/new-events.ts";

const MINUTE = 60_000;
const START: NewEvent = { type: "server.started", run_id: null, actor: "engine", data: { version: "test", pid: 1 } };
const STOP: NewEvent = { type: "server.stopping", run_id: null, actor: "engine", data: { mode: "detach" } };
const created = (runId: string) =>
  runCreated(runId, { steps: [{ step: "smooth", jobs_total: 1, jobs_total_is_final: true }] });
const resumed = (runId: string, alone = false): NewEvent => ({
  type: "run.reattached",
  run_id: runId,
  actor: "engine",
  data: { alone },
});
const steps = (runId: string): NewEvent => ({ type: "run.steps", run_id: runId, actor: "engine", data: { steps: [] } });

/** The events that each server records, by the minute in which it starts; the last server is the current one. */
type Servers = Readonly<Record<number, readonly NewEvent[]>>;

const A = created("a");
const CASES: Readonly<Record<string, readonly [Servers, Record<string, number>]>> = {
  "a run that was just begun": [{ 0: [A] }, { a: 0 }],
  "one crash": [{ 0: [A], 1: [] }, { a: 1 }],
  "three crashes, though the server records bookkeeping each time": [
    { 0: [A], 1: [resumed("a"), steps("a")], 2: [resumed("a"), steps("a")], 3: [] },
    { a: 3 },
  ],
  "progress before the last crash": [
    { 0: [A], 1: [resumed("a")], 2: [resumed("a"), jobQueued("a", 1)], 3: [] },
    { a: 1 },
  ],
  "a clean stop between crashes": [{ 0: [A], 1: [resumed("a"), STOP], 2: [resumed("a")], 3: [] }, { a: 2 }],
  "crashes before the run was resumed": [{ 0: [A], 1: [], 2: [], 3: [] }, { a: 1 }],
  "crashes more than ten minutes ago": [{ 0: [A], 1: [resumed("a")], 12: [resumed("a")], 13: [] }, { a: 1 }],
  "of runs that were resumed one at a time, the last is to blame": [
    {
      0: [A, created("b"), created("c")],
      1: [resumed("a"), resumed("b"), resumed("c")],
      2: [resumed("a", true), resumed("b", true)],
      3: [],
    },
    { a: 2, b: 3, c: 2 },
  ],
};
for (const [name, [servers, expected]] of Object.entries(CASES))
  test(name, async (t) => {
    let nowMs = 0;
    const journal = openMemoryJournal(() => nowMs);
    t.after(() => journal.close());
    for (const [minute, events] of Object.entries(servers)) {
      nowMs = 1_700_000_000_000 + Number(minute) * MINUTE;
      await journal.append([START, ...events]);
    }
    const history = new CrashHistory(journal.read, nowMs);
    for (const [runId, crashes] of Object.entries(expected)) assert.equal(history.crashesOf(runId), crashes, runId);
  });
