import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { jobTimes } from "../../../testing/job-times.ts";
import { coreUse, explainWait } from "./explain-wait.ts";

const job = ([queuedMs, startedMs, endedMs]: readonly [number, number?, number?], cores = 1): JobTimes =>
  jobTimes({ queuedMs, startedMs, endedMs, cores });

test("coreUse shows used and available cores", () => {
  const use = coreUse([job([0, 0, 10], 2), job([0, 10, 20], 1), job([0, 5, 5], 9), job([0])], 0);
  assert.deepEqual([use.atMs, use.cores, use.most], [[0, 10, 10, 20], [2, 0, 1, 0], 2]);
});

test("explainWait gives the reason of a wait", () => {
  const jobs = [job([0, 0, 100], 2), job([0, 100, 200], 1), job([0, 200, 300], 1)];
  const use = coreUse(jobs, 0);
  const cases: readonly (readonly [string, JobTimes, boolean])[] = [
    ["all cores were in use", job([10, 100], 1), true],
    ["one core was free, two were needed", job([110, 200], 2), true],
    ["one core was free, and enough", job([110, 200], 1), false],
    ["cores were free for most of the time", job([50, 290], 1), false],
    ["it did not wait", job([100, 100]), false],
    ["it waits", job([100]), false],
    ["before anything ran", job([-50, -10]), false],
  ];
  for (const [name, waiting, isForCores] of cases)
    assert.equal(explainWait(waiting, use) === "for cores (the run used up to 2 at a time)", isForCores, name);
});
