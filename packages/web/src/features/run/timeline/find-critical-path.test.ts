import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { jobTimes } from "../../../testing/job-times.ts";
import { findCriticalPath } from "./find-critical-path.ts";

type Times = readonly [queued: number, started?: number, ended?: number];

const job = (id: string, sample: string | null, [queuedMs, startedMs, endedMs]: Times): JobTimes =>
  jobTimes({ id, sample, queuedMs, startedMs, endedMs });

function textOf(jobs: readonly JobTimes[], fromMs = 0): string {
  return findCriticalPath(jobs, fromMs)
    .map(({ job: { id }, waitedMs, ranMs }) => `${id} ${waitedMs}+${ranMs}`)
    .join(", ");
}

test("the path leads through the sample that took longest to the job that ended last", () => {
  const jobs = [
    job("align.0", "s0", [0, 0, 1000]),
    job("align.1", "s1", [0, 500, 4000]),
    job("segment.0", "s0", [1000, 1000, 5000]),
    job("segment.1", "s1", [4000, 6000, 9000]),
    job("report", null, [9010, 9100, 9500]),
  ];
  assert.equal(textOf(jobs), "align.1 500+3500, segment.1 2000+3000, report 100+400");
});

test("a first step without samples comes before those that have them", () => {
  const jobs = [
    job("name", null, [0, 0, 300]),
    job("align.0", "s0", [300, 310, 700]),
    job("align.1", "s1", [300, 310, 400]),
  ];
  assert.equal(textOf(jobs), "name 0+300, align.0 10+390");
});

test("handles jobs that did not run or ended at once", () => {
  assert.equal(textOf([]), "");
  assert.equal(textOf([job("a", null, [0])]), "");
  const cached = [job("a.0", "s", [5, 5, 5]), job("b.0", "s", [5, 5, 5])];
  assert.equal(findCriticalPath(cached, 0).length, 2);
});

test("finds the path through 100,000 jobs quickly", () => {
  const many = Array.from({ length: 100_000 }, (_, n) => job(`align.${n}`, `s${n}`, [0, n, n + 50]));
  const path = findCriticalPath([...many, job("report", null, [100_050, 100_060, 100_070])], 0);
  const ids = path.map(({ job: { id } }) => id);
  assert.deepEqual(ids, ["align.99999", "report"]);
});
