import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobState } from "@weft/shared/records/state.ts";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { jobTimes } from "../../../testing/job-times.ts";
import { arrangeRows, coreUse, explainWait, findCriticalPath, visitSegments } from "./timeline-jobs.ts";

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

type Times = readonly [queued: number, started?: number, ended?: number];

const timed = (id: string, sample: string | null, [queuedMs, startedMs, endedMs]: Times): JobTimes =>
  jobTimes({ id, sample, queuedMs, startedMs, endedMs });

function textOf(jobs: readonly JobTimes[], fromMs = 0): string {
  return findCriticalPath(jobs, fromMs)
    .map(({ job: { id }, waitedMs, ranMs }) => `${id} ${waitedMs}+${ranMs}`)
    .join(", ");
}

test("the path leads through the sample that took longest to the job that ended last", () => {
  const jobs = [
    timed("align.0", "s0", [0, 0, 1000]),
    timed("align.1", "s1", [0, 500, 4000]),
    timed("segment.0", "s0", [1000, 1000, 5000]),
    timed("segment.1", "s1", [4000, 6000, 9000]),
    timed("report", null, [9010, 9100, 9500]),
  ];
  assert.equal(textOf(jobs), "align.1 500+3500, segment.1 2000+3000, report 100+400");
});

test("a first step without samples comes before those that have them", () => {
  const jobs = [
    timed("name", null, [0, 0, 300]),
    timed("align.0", "s0", [300, 310, 700]),
    timed("align.1", "s1", [300, 310, 400]),
  ];
  assert.equal(textOf(jobs), "name 0+300, align.0 10+390");
});

test("handles jobs that did not run or ended at once", () => {
  assert.equal(textOf([]), "");
  assert.equal(textOf([timed("a", null, [0])]), "");
  const cached = [timed("a.0", "s", [5, 5, 5]), timed("b.0", "s", [5, 5, 5])];
  assert.equal(findCriticalPath(cached, 0).length, 2);
});

test("finds the path through 100,000 jobs quickly", () => {
  const many = Array.from({ length: 100_000 }, (_, n) => timed(`align.${n}`, `s${n}`, [0, n, n + 50]));
  const path = findCriticalPath([...many, timed("report", null, [100_050, 100_060, 100_070])], 0);
  const ids = path.map(({ job: { id } }) => id);
  assert.deepEqual(ids, ["align.99999", "report"]);
});

type RowTimes = readonly [queued: number, started?: number | undefined, ended?: number | undefined, exited?: number];

function rowJob(id: string, state: JobState, [queuedMs, startedMs, endedMs, exitedMs]: RowTimes): JobTimes {
  return jobTimes({ id, state, queuedMs, startedMs, endedMs, exitedMs });
}

test("arrangeRows keeps steps together, in the order in which they began", () => {
  const { rows, steps, fromMs, toMs } = arrangeRows([
    rowJob("b.0", "RUNNING", [30, 35]),
    rowJob("a.1", "COMPLETE", [10, 20, 40]),
    rowJob("b.1", "QUEUED", [31]),
    rowJob("a.0", "COMPLETE", [10, 12, 25]),
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
    [rowJob("a", "QUEUED", [10]), "waiting 10-100"],
    [rowJob("a", "RUNNING", [10, 20]), "waiting 10-20, running 20-100"],
    [rowJob("a", "RUNNING", [10, 20, undefined, 60]), "waiting 10-20, running 20-60, collecting 60-100"],
    [rowJob("a", "COMPLETE", [10, 20, 70]), "waiting 10-20, success 20-70"],
    [rowJob("a", "EXECUTOR_ERROR", [10, 20, 70, 65]), "waiting 10-20, failed 20-65, collecting 65-70"],
    [rowJob("a", "CANCELED", [10, undefined, 70]), "waiting 10-70"],
    [rowJob("a", "COMPLETE", [10, 10, 10]), "success 10-10"],
  ];
  for (const [subject, text] of cases) {
    const pieces: string[] = [];
    visitSegments(subject, 100, (kind, fromMs, toMs) => pieces.push(`${kind} ${fromMs}-${toMs}`));
    assert.equal(pieces.join(", "), text);
  }
});
