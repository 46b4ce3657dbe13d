import assert from "node:assert/strict";
import { test } from "node:test";
import { arrangeMatrix, countOutcomes, filterRows, samplesOfJobs } from "./arrange-matrix.ts";

const SAMPLES = {
  steps: ["a", "b", "report"],
  samples: [
    { sample_id: "s1", index: 1, states: "CC." },
    { sample_id: "s10", index: 3, states: "CE." },
    { sample_id: "s2", index: 2, states: "R.." },
    { sample_id: "s0", index: 0, states: "C.." },
    { sample_id: "s4", index: 4, states: "X.." },
    { sample_id: "s5", index: 5, states: "CQ." },
  ],
};

test("failed samples come first, the others in the order of the inputs", () => {
  const matrix = arrangeMatrix(SAMPLES, true);
  assert.deepEqual(matrix.steps, ["a", "b"]);
  assert.deepEqual(
    matrix.rows.map(({ sample, outcome, states }) => [sample, outcome, states.map((state) => state ?? "none").join()]),
    [
      ["s10", "failed", "COMPLETE,EXECUTOR_ERROR"],
      ["s0", "waiting", "COMPLETE,none"],
      ["s1", "succeeded", "COMPLETE,COMPLETE"],
      ["s2", "running", "RUNNING,none"],
      ["s4", "stopped", "CANCELED,none"],
      ["s5", "waiting", "COMPLETE,QUEUED"],
    ],
  );
  // After the end, a step without a job has none.
  assert.equal(arrangeMatrix(SAMPLES, false).rows[1]?.outcome, "succeeded");
});

test("rows are filtered by text and outcome", () => {
  const { rows } = arrangeMatrix(SAMPLES, true);
  const names = (text: string, outcome: string) => filterRows(rows, { text, outcome }).map(({ sample }) => sample);
  assert.deepEqual(names("S1", ""), ["s10", "s1"]);
  assert.deepEqual(names("", "waiting"), ["s0", "s5"]);
  assert.deepEqual(names("s5", "waiting"), ["s5"]);
  assert.deepEqual(
    [...countOutcomes(rows)],
    [
      ["failed", 1],
      ["waiting", 2],
      ["succeeded", 1],
      ["running", 1],
      ["stopped", 1],
    ],
  );
});

test("samplesOfJobs shows failed jobs before others of the same sample and step", () => {
  const jobs = [
    { sample: "s1", step: "a", state: "COMPLETE" },
    { sample: "s1", step: "b", state: "EXECUTOR_ERROR" },
    { sample: "s1", step: "b", state: "COMPLETE" },
    { sample: null, step: "report", state: "COMPLETE" },
  ] as const;
  assert.deepEqual(samplesOfJobs(["a", "b", "report"], jobs).samples, [
    { sample_id: "s1", index: null, states: "CE." },
  ]);
});
