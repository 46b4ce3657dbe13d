import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LogReader } from "./log-reader.ts";
import { explaining } from "./testing/explaining-reader.ts";
import { addJobs } from "./testing/job-rows.ts";

/** The queries that pages repeat while a run is in progress, and the only index that each may read. */
const QUESTIONS: Readonly<Record<string, readonly [(read: LogReader) => unknown, RegExp]>> = {
  "which jobs are under way": [
    (read) => read.openJobIds("r", 10),
    /USING COVERING INDEX jobs_by_state \(run_id=\? AND state=\?\)/,
  ],
  "which jobs of several states come first": [
    (read) => read.jobs("r", { states: ["EXECUTOR_ERROR", "RUNNING"], pageSize: 10 }),
    /USING (COVERING INDEX jobs_by_state \(run_id=\? AND state=\?|INDEX jobs_in_order \(run_id=\? AND n=\?\))/,
  ],
  "which samples there are": [(read) => read.samples("r", 10), /USING COVERING INDEX jobs_of_samples \(run_id=\?/],
  "which states the jobs of samples are in": [
    (read) => read.sampleJobs("r", { pageSize: 10, pageToken: undefined }),
    /USING COVERING INDEX jobs_(of_samples|by_state) \(run_id=\?/,
  ],
};

describe("the position of an event in the log of a run with very many jobs", () => {
  it("is counted only in the index of the run's events", () => {
    const { read, plans } = explaining();
    read.eventFrom("r", 7, 256);
    read.lastEventUpTo("r", 7);
    read.countEvents("r", 1, 256);
    const ways = plans.filter((plan) => /\bevents\b/.test(plan));
    const isQuick = (plan: string) => /USING COVERING INDEX events_of_run/.test(plan);
    assert.ok(ways.length === 3 && ways.every(isQuick), plans.join("\n"));
  });
});

describe("a question about a run of very many jobs", () => {
  for (const [name, [ask, way]] of Object.entries(QUESTIONS))
    it(`is answered without its jobs being read: ${name}`, () => {
      const { read, plans } = explaining();
      ask(read);
      const ofJobs = plans.filter((plan) => /\bjobs\b/.test(plan));
      assert.ok(ofJobs.length > 0 && ofJobs.every((plan) => way.test(plan)), plans.join("\n"));
    });
});

describe("attempts whose wrappers may start late", () => {
  it("have started, or were ready when a server was killed; others of the run are left out", () => {
    const { db, read } = explaining();
    addJobs(db, [
      { job_id: "waits", state: "QUEUED", phase: "waiting", attempt: 2 },
      { job_id: "ready", state: "QUEUED", phase: "prepared", attempt: 2 },
      { job_id: "runs", state: "RUNNING", phase: "running", attempt: 2, started_ms: 7 },
      { job_id: "ended", attempt: 2, started_ms: 7 },
      { job_id: "later", state: "RUNNING", phase: "running", attempt: 2, started_ms: 7 },
    ]);
    const found = read.lateAttempts("r", { from: 0, to: 3 });
    assert.deepEqual(found, [
      { jobId: "ready", attempt: 2 },
      { jobId: "runs", attempt: 2 },
    ]);
  });
});

describe("the jobs of several states", () => {
  it("are listed in queue order, page by page", () => {
    const { db, read } = explaining();
    const states = ["COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "COMPLETE", "EXECUTOR_ERROR", "EXECUTOR_ERROR"];
    const rows = states.map((state, place) => ({ state, sample_id: place % 2 === 0 ? "even" : "odd" }));
    addJobs(db, rows);
    const pages = (query: { readonly states?: readonly string[]; readonly sample?: string }) => {
      const found: number[][] = [];
      for (let pageToken: string | undefined; pageToken !== "";) {
        const page = read.jobs("r", { ...query, pageSize: 2, pageToken });
        found.push(page.entries.map(({ n }) => n));
        pageToken = page.nextPageToken;
      }
      return found;
    };
    const failed = ["EXECUTOR_ERROR", "SYSTEM_ERROR"];
    assert.deepEqual(pages({ states: failed }), [
      [1, 2],
      [4, 5],
    ]);
    assert.deepEqual(pages({ states: ["PREEMPTED"] }), [[]]);
    assert.deepEqual(pages({}), [
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    assert.deepEqual(pages({ states: failed, sample: "odd" }), [[1, 5]]);
    assert.equal(read.jobs("r", { states: failed, pageSize: 1 }).total, 4);
  });
});
