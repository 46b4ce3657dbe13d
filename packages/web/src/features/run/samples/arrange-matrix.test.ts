import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type SampleOutcome,
  arrangeMatrix,
  countOutcomes,
  endsText,
  filterRows,
  samplesOfJobs,
  toggled,
  withAll,
  withRange,
} from "./arrange-matrix.ts";

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
  const matrix = arrangeMatrix(SAMPLES, { isOpen: true });
  assert.deepEqual(matrix.steps, ["a", "b"]);
  const lines = matrix.rows.map(({ sample, outcome, states }) =>
    [sample, outcome, ...states.map((state) => state ?? "none")].join(" "),
  );
  assert.deepEqual(lines, [
    ...["s10 failed COMPLETE EXECUTOR_ERROR", "s0 waiting COMPLETE none", "s1 succeeded COMPLETE COMPLETE"],
    ...["s2 running RUNNING none", "s4 stopped CANCELED none", "s5 waiting COMPLETE QUEUED"],
  ]);
  // After the end, a step without a job has none.
  assert.equal(arrangeMatrix(SAMPLES, { isOpen: false }).rows[1]?.outcome, "succeeded");
});

test("a sample whose next steps never started is not among those that succeeded", () => {
  const outcomes = (incomplete: readonly string[]) =>
    arrangeMatrix(SAMPLES, { isOpen: false, incomplete: new Set(incomplete) })
      .rows.filter(({ sample }) => ["s0", "s1", "s10"].includes(sample))
      .map(({ sample, outcome }) => `${sample} ${outcome}`);
  assert.deepEqual(outcomes(["s0"]), ["s10 failed", "s0 stopped", "s1 succeeded"]);
  assert.deepEqual(outcomes(["s0", "s1", "s10"]), ["s10 failed", "s0 stopped", "s1 stopped"]);
});

test("endsText counts each sample once, and only complete ones as succeeded", () => {
  const ends = (...outcomes: readonly SampleOutcome[]) => endsText(outcomes.map((outcome) => ({ outcome })));
  assert.equal(
    ends("failed", "succeeded", "succeeded", "succeeded", "stopped", "stopped"),
    "3 of 6 samples succeeded, 1 failed, 2 stopped before the end.",
  );
  assert.equal(ends("succeeded", "failed"), "1 of 2 samples succeeded, 1 failed.");
  assert.equal(ends("stopped", "stopped"), "None of 2 samples succeeded, 2 stopped before the end.");
  assert.equal(ends("failed", "waiting"), "None of 2 samples succeeded, 1 failed, 1 stopped before the end.");
  assert.equal(ends(), "");
});

test("rows are filtered by text and outcome", () => {
  const { rows } = arrangeMatrix(SAMPLES, { isOpen: true });
  const names = (text: string, outcome: string) => filterRows(rows, { text, outcome }).map(({ sample }) => sample);
  assert.deepEqual(names("S1", ""), ["s10", "s1"]);
  assert.deepEqual(names("", "waiting"), ["s0", "s5"]);
  assert.deepEqual(names("s5", "waiting"), ["s5"]);
  const counts = { failed: 1, waiting: 2, succeeded: 1, running: 1, stopped: 1 };
  assert.deepEqual(Object.fromEntries(countOutcomes(rows)), counts);
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

test("rows are selected one by one, by range and all at once", () => {
  const names = ["a", "b", "c", "d"];
  const one = toggled(new Set(), "b");
  assert.deepEqual([...one], ["b"]);
  assert.deepEqual([...toggled(one, "b")], []);
  assert.deepEqual([...withRange(one, names, 3, 2)], ["b", "c", "d"]);
  assert.deepEqual([...withAll(one, ["a", "b"])], ["b", "a"]);
  // The second time deselects the shown rows; hidden rows stay selected.
  assert.deepEqual([...withAll(new Set(["a", "b", "z"]), ["a", "b"])], ["z"]);
});
