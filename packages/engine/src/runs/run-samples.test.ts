import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobState } from "@weft/shared/records/state.ts";
import { createLogReader } from "../journal/log-reader.ts";
import { openForWriting } from "../journal/open-database.ts";
import { addJobs } from "../journal/testing/job-rows.ts";
import type { RunRow } from "../journal/rows.ts";
import { jobIdOf } from "../jobs/job-events.ts";
import { listSamples } from "./run-samples.ts";

interface MadeJob {
  readonly call: string;
  readonly sample: string | null;
  readonly state: JobState;
}

/** A run of three steps, of which only what this reads is there. */
function open(jobs: readonly MadeJob[]) {
  const db = openForWriting(":memory:", "fast");
  const steps = ["first", "outer/inner", "report"];
  db.exec("BEGIN");
  const addStep = db.prepare(
    "INSERT INTO steps (run_id, step, position, jobs_total, jobs_total_is_final, job_counts) VALUES ('r', ?, ?, 1, 1, '{}')",
  );
  for (const [position, step] of steps.entries()) addStep.run(step, position);
  const rows = jobs.map(({ call, sample, state }, n) => {
    const step = call.replaceAll(/\[[^\]]*\]/g, "");
    const index = /\[([\d,]+)\]/.exec(call)?.[1] ?? "";
    return { job_id: jobIdOf(call, n), call_id: call, step, sample_id: sample, scatter_index: `[${index}]`, state };
  });
  db.exec("COMMIT");
  addJobs(db, rows);
  const row = { runId: "r" } as RunRow; // the reader takes nothing else of it
  const read = createLogReader(db, "writer");
  return (query: Parameters<typeof listSamples>[1] = {}) => listSamples(row, query, read);
}

test("samples have one letter per step, that of the most important of several jobs", () => {
  const list = open([
    { call: "first[0]", sample: "b", state: "COMPLETE" },
    { call: "first[1]", sample: "a", state: "RUNNING" },
    { call: "outer[0]/inner[0]", sample: "b", state: "COMPLETE" },
    { call: "outer[0]/inner[1]", sample: "b", state: "EXECUTOR_ERROR" },
    { call: "outer[0]/inner[2]", sample: "b", state: "QUEUED" },
    // The id of a crossed job does not say where it belongs.
    { call: "first[2,0]", sample: "c", state: "CANCELED" },
    { call: "report", sample: null, state: "COMPLETE" },
  ])();
  assert.deepEqual(list, {
    run_id: "r",
    steps: ["first", "outer/inner", "report"],
    samples: [
      { sample_id: "a", index: 1, states: "R.." },
      { sample_id: "b", index: 0, states: "CE." },
      { sample_id: "c", index: 2, states: "X.." },
    ],
    total: 3,
    next_page_token: "",
  });
});

test("pages follow each other", () => {
  const list = open(
    ["big", "a", "x", "big", "y"].map((sample, n): MadeJob => ({ call: `first[${n}]`, sample, state: "QUEUED" })),
  );
  const pages: string[][] = [];
  for (let token: string | undefined; token !== "";) {
    const page = list({ page_size: 2, ...(token === undefined ? {} : { page_token: token }) });
    assert.equal(page.total, token === undefined ? 4 : null);
    pages.push(page.samples.map(({ sample_id: name }) => name));
    token = page.next_page_token;
  }
  assert.deepEqual(pages, [
    ["a", "big"],
    ["x", "y"],
  ]);
});

test("a run without samples has an empty page", () => {
  assert.deepEqual(open([{ call: "report", sample: null, state: "COMPLETE" }])().samples, []);
});
