import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { JobTimes } from "./all-jobs.ts";
import { jobTimes } from "../../testing/job-times.ts";
import { jobAt, jobsAt, runAt } from "./jobs-at.ts";

const time = (ms: number): string => new Date(ms).toISOString();
const job = (id: string, change: Partial<JobTimes>): JobTimes =>
  jobTimes({ id, step: "smooth", queuedMs: 100, startedMs: 200, exitedMs: 290, endedMs: 300, ...change });

test("a job goes through its states at their times", () => {
  const failed = job("a", { state: "EXECUTOR_ERROR", cached: true });
  const then = (atMs: number) => jobAt(failed, atMs);
  assert.equal(then(99), undefined);
  assert.deepEqual([then(100)?.state, then(100)?.startedMs, then(100)?.cached], ["QUEUED", undefined, false]);
  assert.equal(then(199)?.state, "QUEUED");
  assert.deepEqual([then(200)?.state, then(299)?.endedMs, then(299)?.exitedMs], ["RUNNING", undefined, undefined]);
  assert.equal(then(300), failed);
});

test("a job that never started is queued until it was canceled", () => {
  const canceled = job("a", { state: "CANCELED", startedMs: undefined, exitedMs: undefined });
  const states = [250, 300].map((atMs) => jobAt(canceled, atMs)?.state);
  assert.deepEqual(states, ["QUEUED", "CANCELED"]);
});

test("a job that still runs was queued before, and runs from its start on", () => {
  const open = job("a", { state: "RUNNING", exitedMs: undefined, endedMs: undefined });
  const states = [150, 200, 1e9].map((atMs) => jobAt(open, atMs)?.state);
  assert.deepEqual(states, ["QUEUED", "RUNNING", "RUNNING"]);
});

test("a run has the counts that its jobs had", () => {
  // The parts of a run that its past depends on.
  const run = {
    state: "EXECUTOR_ERROR",
    outcome: "failure",
    start_time: time(50),
    end_time: time(400),
    abort: null,
    step_counts: [
      { step: "smooth", jobs_total: 2, jobs_total_is_final: true, jobs_cached: 1, job_counts: { COMPLETE: 2 } },
      { step: "report", jobs_total: 1, jobs_total_is_final: true, jobs_cached: 0, job_counts: { EXECUTOR_ERROR: 1 } },
    ],
    progress: { jobs_total: 3, jobs_total_is_final: true, jobs_done: 3, jobs_cached: 1, fraction: 1, eta: null },
  } as unknown as Run;
  const all = {
    jobs: [
      job("a", { cached: true }),
      job("b", { endedMs: 350 }),
      job("c", { step: "report", state: "EXECUTOR_ERROR", queuedMs: 350, startedMs: 360, endedMs: 400 }),
    ],
    total: 3,
  };
  const then = (atMs: number): Run => runAt(run, jobsAt(all, atMs).jobs, atMs);
  assert.deepEqual([then(40).state, then(300).state, then(400)], ["QUEUED", "RUNNING", run]);
  assert.deepEqual(then(300).job_counts, { COMPLETE: 1, RUNNING: 1 });
  assert.deepEqual(then(300).progress, { ...run.progress, jobs_done: 1, fraction: 1 / 3 });
  const aborted = [...all.jobs, job("d", { state: "CANCELED", startedMs: undefined, endedMs: 320 })];
  assert.equal(runAt(run, jobsAt({ jobs: aborted, total: 4 }, 330).jobs, 330).progress.jobs_done, 1);
  assert.deepEqual(
    then(355).step_counts.map(({ job_counts, jobs_cached }) => [job_counts, jobs_cached]),
    [
      [{ COMPLETE: 2 }, 1],
      [{ QUEUED: 1 }, 0],
    ],
  );
  assert.equal(then(300).outcome, null);
});
