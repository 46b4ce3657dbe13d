import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobRow, RunRow } from "../journal/rows.ts";
import { withWaitingReason, withWaitingReasonOfRun } from "./why-waiting.ts";

// Only the fields that the test needs.
const job = (fields: Partial<JobRow>) =>
  ({ runId: "r", jobId: "j", state: "QUEUED", reason: null, ...fields }) as JobRow;
const run = (fields: Partial<RunRow>) => ({ state: "RUNNING", reason: null, jobCounts: {}, ...fields }) as RunRow;
const because = { code: "STAGE_IN", message: "Fetching a" } as const;

test("a queued job, or one that waits at its backend, has a current reason; any other has the recorded one", () => {
  const asked = (row: JobRow, answer?: string) => withWaitingReason(row, () => answer).reason?.message;
  assert.equal(asked(job({}), "waiting for a slot: 1 job is running"), "waiting for a slot: 1 job is running");
  assert.equal(asked(job({})), "its inputs are being prepared");
  assert.equal(asked(job({ reason: because })), "Fetching a");
  assert.equal(asked(job({ state: "INITIALIZING" }), "Slurm job 1_0 waits"), "Slurm job 1_0 waits");
  assert.equal(asked(job({ state: "INITIALIZING" })), undefined);
  assert.equal(asked(job({ state: "RUNNING" }), "x"), undefined);
});

test("a run is waiting if it has open jobs and none is running", () => {
  const cases: readonly [Partial<RunRow>, string | undefined][] = [
    [{ jobCounts: { QUEUED: 1, COMPLETE: 3 } }, "its only open job is waiting"],
    [{ jobCounts: { QUEUED: 2 } }, "all 2 open jobs are waiting"],
    [{ jobCounts: { QUEUED: 2, RUNNING: 1 } }, undefined],
    [{ jobCounts: { QUEUED: 2, INITIALIZING: 1 } }, undefined],
    [{ jobCounts: { COMPLETE: 2 } }, undefined],
    [{ jobCounts: { QUEUED: 2 }, state: "CANCELING" }, undefined],
    [{ jobCounts: { QUEUED: 2 }, reason: because }, "Fetching a"],
  ];
  for (const [fields, expected] of cases) assert.equal(withWaitingReasonOfRun(run(fields)).reason?.message, expected);
});
