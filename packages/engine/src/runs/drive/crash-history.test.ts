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

/** The records of each server, the last of which is the current one; times in minutes. */
const CASES: Readonly<
  Record<string, readonly [readonly (readonly [number, ...NewEvent[]])[], Record<string, number>]>
> = {
  "a run that was just begun": [[[0, START, created("a")]], { a: 0 }],
  "one crash": [
    [
      [0, START, created("a")],
      [1, START],
    ],
    { a: 1 },
  ],
  "three crashes, though the server records bookkeeping each time": [
    [
      [0, START, created("a")],
      [1, START, resumed("a"), steps("a")],
      [2, START, resumed("a"), steps("a")],
      [3, START],
    ],
    { a: 3 },
  ],
  "progress before the last crash": [
    [
      [0, START, created("a")],
      [1, START, resumed("a")],
      [2, START, resumed("a"), jobQueued("a", 1)],
      [3, START],
    ],
    { a: 1 },
  ],
  "a clean stop between crashes": [
    [
      [0, START, created("a")],
      [1, START, resumed("a"), STOP],
      [2, START, resumed("a")],
      [3, START],
    ],
    { a: 2 },
  ],
  "crashes before the run was resumed": [
    [
      [0, START, created("a")],
      [1, START],
      [2, START],
      [3, START],
    ],
    { a: 1 },
  ],
  "crashes more than ten minutes ago": [
    [
      [0, START, created("a")],
      [1, START, resumed("a")],
      [12, START, resumed("a")],
      [13, START],
    ],
    { a: 1 },
  ],
  "of runs that were resumed one at a time, the last is to blame": [
    [
      [0, START, created("a"), created("b"), created("c")],
      [1, START, resumed("a"), resumed("b"), resumed("c")],
      [2, START, resumed("a", true), resumed("b", true)],
      [3, START],
    ],
    { a: 2, b: 3, c: 2 },
  ],
};
for (const [name, [servers, expected]] of Object.entries(CASES))
  test(name, async (t) => {
    let nowMs = 0;
    const journal = openMemoryJournal(() => nowMs);
    t.after(() => journal.close());
    for (const [minute, ...events] of servers) {
      nowMs = 1_700_000_000_000 + minute * MINUTE;
      await journal.append(events);
    }
    const history = new CrashHistory(journal.read, nowMs);
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((runId) => [runId, history.crashesOf(runId)])),
      expected,
    );
  });
