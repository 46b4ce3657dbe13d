import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobState } from "@weft/shared/records/state.ts";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { jobTimes } from "../../../testing/job-times.ts";
import { arrangeRows, visitSegments } from "./arrange-rows.ts";

type Times = readonly [queued: number, started?: number | undefined, ended?: number | undefined, exited?: number];

function job(id: string, state: JobState, [queuedMs, startedMs, endedMs, exitedMs]: Times): JobTimes {
  return jobTimes({ id, state, queuedMs, startedMs, endedMs, exitedMs });
}

test("arrangeRows keeps steps together, in the order in which they began", () => {
  const { rows, steps, fromMs, toMs } = arrangeRows([
    job("b.0", "RUNNING", [30, 35]),
    job("a.1", "COMPLETE", [10, 20, 40]),
    job("b.1", "QUEUED", [31]),
    job("a.0", "COMPLETE", [10, 12, 25]),
  ]);
  const ids = rows.map(({ id }) => id);
  assert.deepEqual(ids, ["a.0", "a.1", "b.0", "b.1"]);
  assert.deepEqual(steps, [
    { step: "a", first: 0, count: 2 },
    { step: "b", first: 2, count: 2 },
  ]);
  assert.deepEqual([fromMs, toMs], [10, 40]);
  assert.deepEqual(arrangeRows([]), { rows: [], steps: [], fromMs: 0, toMs: 0 });
});

test("visitSegments", () => {
  const cases: [JobTimes, string][] = [
    [job("a", "QUEUED", [10]), "waiting 10-100"],
    [job("a", "RUNNING", [10, 20]), "waiting 10-20, running 20-100"],
    [job("a", "RUNNING", [10, 20, undefined, 60]), "waiting 10-20, running 20-60, collecting 60-100"],
    [job("a", "COMPLETE", [10, 20, 70]), "waiting 10-20, success 20-70"],
    [job("a", "EXECUTOR_ERROR", [10, 20, 70, 65]), "waiting 10-20, failed 20-65, collecting 65-70"],
    [job("a", "CANCELED", [10, undefined, 70]), "waiting 10-70"],
    [job("a", "COMPLETE", [10, 10, 10]), "success 10-10"],
  ];
  for (const [subject, text] of cases) {
    const pieces: string[] = [];
    visitSegments(subject, 100, (kind, fromMs, toMs) => pieces.push(`${kind} ${fromMs}-${toMs}`));
    assert.equal(pieces.join(", "), text);
  }
});
