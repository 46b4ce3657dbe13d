import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { arrangeMatrix } from "./arrange-matrix.ts";

function job(job_id: string, step: string, sample_id: string | null, state: JobState = "COMPLETE"): JobSummary {
  const timing = {
    queued_at: "2026-11-21T00:00:00.000Z",
    started_at: null,
    ended_at: null,
    queued_ms: null,
    running_ms: null,
  };
  return {
    job_id,
    run_id: "r",
    url: "",
    step,
    sample_id,
    scatter_index: [],
    state,
    phase: "ended",
    state_reason: null,
    attempt: 1,
    exit_code: null,
    signal: null,
    timing,
    cached: false,
  };
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
    a: row.get("a")?.job_id,
    b: row.get("b")?.job_id,
  }));
  assert.deepEqual(cells, [
    { sample: "s1", a: "a.0", b: "b.0.1" },
    { sample: "s2", a: "a.1", b: undefined },
  ]);
});
