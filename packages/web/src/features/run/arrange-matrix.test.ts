import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobState } from "@weft/shared/records/state.ts";
import type { JobTimes } from "../../api/all-jobs.ts";
import { arrangeMatrix } from "./arrange-matrix.ts";

function job(id: string, step: string, sample: string | null, state: JobState = "COMPLETE"): JobTimes {
  const times = { queuedMs: 0, startedMs: undefined, exitedMs: undefined, endedMs: undefined };
  return { id, step, sample, state, attempt: 1, cached: false, ...times };
}

test("arrangeMatrix", () => {
  const jobs = [
    job("a.0", "a", "s1"),
    job("a.1", "a", "s2", "RUNNING"),
    job("b.0", "b", "s1", "QUEUED"),
    job("b.0.1", "b", "s1", "EXECUTOR_ERROR"),
    job("b.0.2", "b", "s1"),
    job("report", "report", null),
  ];
  const matrix = arrangeMatrix(["a", "b", "report"], jobs);
  assert.deepEqual(matrix.steps, ["a", "b"]);
  const cells = matrix.rows.map(({ sample, jobs: row }) => ({
    sample,
    a: row.get("a")?.id,
    b: row.get("b")?.id,
  }));
  assert.deepEqual(cells, [
    { sample: "s1", a: "a.0", b: "b.0.1" },
    { sample: "s2", a: "a.1", b: undefined },
  ]);
});
