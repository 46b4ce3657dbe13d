import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { jobTimes } from "../../../testing/job-times.ts";
import { runningCurves } from "./paint-timeline.ts";

const job = (startedMs: number | undefined, endedMs: number | undefined, rssBytes?: number): JobTimes =>
  jobTimes({ startedMs, endedMs, ramBytes: 10, rssBytes });

const SPAN = { fromMs: 0, toMs: 100 };

test("jobs and memory add up while they run", () => {
  const jobs = [job(0, 50, 5), job(20, 80), job(undefined, undefined), job(40, undefined, 1)];
  const { jobs: count, bytes, mostJobs, mostBytes } = runningCurves(jobs, SPAN, 10, 60);
  assert.deepEqual([...count], [1, 1, 2, 2, 3, 2, 1, 1, 0, 0]);
  assert.deepEqual([...bytes], [5, 5, 15, 15, 16, 11, 10, 10, 0, 0]);
  assert.deepEqual([mostJobs, mostBytes], [3, 16]);
});

test("a job shorter than a pixel counts in part, and one outside not at all", () => {
  const rounded = (values: Float64Array) => [...values].map((value) => Math.round(value * 100) / 100);
  assert.deepEqual(rounded(runningCurves([job(12, 17)], SPAN, 10, 0).jobs), [0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(rounded(runningCurves([job(5, 25)], SPAN, 10, 0).jobs), [0.5, 1, 0.5, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(rounded(runningCurves([job(-50, -10), job(200, 300)], SPAN, 4, 0).jobs), [0, 0, 0, 0]);
  assert.deepEqual(rounded(runningCurves([job(-50, 200)], SPAN, 3, 0).jobs), [1, 1, 1]);
});
