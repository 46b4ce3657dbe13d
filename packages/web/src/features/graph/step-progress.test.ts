import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import type { StepCounts } from "@weft/shared/records/run-record.ts";
import type { JobCounts } from "@weft/shared/records/state.ts";
import { graphNode } from "../../testing/graph-record.ts";
import { flattenSteps, progressIndex, stepProgress } from "./step-progress.ts";

function step(name: string, jobs_total: number, job_counts: JobCounts): StepCounts {
  return { step: name, jobs_total, jobs_total_is_final: true, jobs_cached: 0, job_counts };
}

const SMOOTH = { ...graphNode("step:smooth", "each/"), process_label: "Gaussian" };
const graph: GraphRecord = {
  nodes: [
    graphNode("input:in"),
    { ...graphNode("step:each"), label: "Each subject", graph: { nodes: [SMOOTH], edges: [] } },
    graphNode("step:report"),
  ],
  edges: [],
};

test("stepProgress counts the jobs of a step", () => {
  const cases: [StepCounts[], string, string][] = [
    [[step("a", 3, {})], "a", "QUEUED 0/3"],
    [[step("a", 3, { COMPLETE: 1, RUNNING: 2 })], "a", "RUNNING 1/3"],
    [[step("a", 3, { COMPLETE: 3 })], "a", "COMPLETE 3/3"],
    [[step("a", 3, { COMPLETE: 1, EXECUTOR_ERROR: 1, RUNNING: 1 })], "a", "EXECUTOR_ERROR 2/3"],
    [[step("a", 2, { COMPLETE: 1, CANCELED: 1 })], "a", "CANCELED 2/2"],
    [[step("a", 3, { COMPLETE: 1 })], "a", "RUNNING 1/3"],
    [
      [step("each/x", 2, { COMPLETE: 2 }), step("each/y", 2, { RUNNING: 1 }), step("eachother", 1, { COMPLETE: 1 })],
      "each",
      "RUNNING 2/4",
    ],
  ];
  for (const [counts, name, text] of cases) {
    const progress = stepProgress(counts, name);
    assert.equal(`${progress?.state} ${progress?.done}/${progress?.total}`, text);
  }
  assert.equal(stepProgress([], "a"), undefined);
});

test("progressIndex answers as stepProgress does", () => {
  const counts = [
    step("each/x", 2, { COMPLETE: 2 }),
    step("each/y/z", 2, { RUNNING: 1 }),
    step("eachother", 1, { COMPLETE: 1 }),
    step("", 1, {}),
  ];
  const progressOf = progressIndex(counts);
  for (const name of ["each", "each/x", "each/y", "each/y/z", "eachother", "", "none"])
    assert.deepEqual(
      progressOf(name),
      stepProgress(
        counts.filter((entry) => name !== "" || entry.step === ""),
        name,
      ),
      name,
    );
});

test("flattenSteps", () => {
  const cases: [string, string[]][] = [
    ["", ["1 each 1/2", "2 each/smooth 1/1", "1 report 2/2"]],
    ["SMOO", ["1 each/smooth 1/1"]],
    ["gauss", ["1 each/smooth 1/1"]],
    ["subject", ["1 each 1/1"]],
    ["each", ["1 each 1/2", "1 each/smooth 2/2"]],
    ["x", []],
  ];
  for (const [q, expected] of cases) {
    const lines = flattenSteps(graph, q).map(({ level, path, place, count }) => `${level} ${path} ${place}/${count}`);
    assert.deepEqual(lines, expected);
  }
});
