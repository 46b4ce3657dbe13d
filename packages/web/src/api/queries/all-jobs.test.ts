import assert from "node:assert/strict";
import { test } from "node:test";
import { jobsOfPart } from "./all-jobs.ts";

test("jobsOfPart reads jobs from the columns of the answer", () => {
  const jobs = jobsOfPart({
    origin: "1970-01-01T00:00:10.000Z",
    steps: ["a", "b"],
    samples: ["s"],
    jobs: {
      ...{ job_id: ["b.0", "a"], step: [1, 0], sample: [0, null], state: ["COMPLETE", "QUEUED"], attempt: [2, 1] },
      ...{ cached: [true, false], queued: [0, 5], started: [1, null], ended: [3, null], cores: [1.5, null] },
      ...{ ram_bytes: [7, null], max_rss_bytes: [6, null] },
    },
    total: 2,
    next: null,
  });
  const none = undefined;
  assert.deepEqual(jobs, [
    {
      ...{ id: "b.0", step: "b", sample: "s", state: "COMPLETE", attempt: 2, cached: true, queuedMs: 10_000 },
      ...{ startedMs: 10_001, exitedMs: none, endedMs: 10_003, cores: 1.5, ramBytes: 7, rssBytes: 6 },
    },
    {
      ...{ id: "a", step: "a", sample: null, state: "QUEUED", attempt: 1, cached: false, queuedMs: 10_005 },
      ...{ startedMs: none, exitedMs: none, endedMs: none, cores: none, ramBytes: none, rssBytes: none },
    },
  ]);
});
