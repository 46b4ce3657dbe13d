import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScatterMethod } from "../../model/process.ts";
import { SMALL_LIMITS } from "../../testing/test-limits.ts";
import { requireScatterSize, scatterSize } from "./scatter-size.ts";

const list = (length: number) => Array.from({ length }, () => 0);
const INPUTS = { k: list(1_000), big: list(2_000_000), none: [], lists: [list(3), [], list(5)] };

const CASES: readonly (readonly [readonly string[], ScatterMethod, jobs: number, combinations: number])[] = [
  [["big"], "dotproduct", 2e6, 2e6],
  [["k", "k2", "k3"], "flat_crossproduct", 1e9, 1e9],
  [["k", "k2", "k3"], "nested_crossproduct", 1e9, 1e9],
  // No jobs, but a list for each of 1e9 combinations.
  [["k", "k2", "k3", "none"], "nested_crossproduct", 0, 1e9],
  [["none", "k", "k2", "k3"], "nested_crossproduct", 0, 0],
  [["k", "k2", "k3", "none"], "flat_crossproduct", 0, 0],
  [Array.from({ length: 200 }, (_, axis) => `k${axis}`), "flat_crossproduct", Infinity, Infinity],
  [[...Array.from({ length: 200 }, (_, axis) => `k${axis}`), "none"], "flat_crossproduct", 0, 0],
  [["lists", "lists"], "nested_crossproduct", 8, 8],
  [["lists", "k", "lists"], "flat_crossproduct", 8_000, 8_000],
  // The first axis has more combinations than there are jobs.
  [["k", "empties", "empties"], "flat_crossproduct", 1_000, 1_000_000],
];
for (const [scatter, scatterMethod, jobs, combinations] of CASES) {
  test(`${scatterMethod} over ${scatter.length} lists: ${jobs} jobs, ${combinations} combinations`, () => {
    const value = (name: string) =>
      name === "empties" ? [[0], ...Array.from({ length: 999 }, () => [])] : (INPUTS[name as "k"] ?? INPUTS.k); // others are k
    assert.deepEqual(scatterSize({ scatter, scatterMethod }, value), { jobs, combinations });
  });
}

test("a scatter that is too large fails with the limit, its flag and the number of jobs", () => {
  const limits = { ...SMALL_LIMITS, jobsPerScatter: 100_000 };
  assert.throws(() => requireScatterSize({ jobs: 1e9, combinations: 1e9 }, limits, "steps.s"), {
    code: "LIMIT_EXCEEDED",
    message: "a scatter of 1,000,000,000 jobs exceeds the limit of 100,000 (jobs-per-scatter)",
  });
  requireScatterSize({ jobs: 100_000, combinations: 100_000 }, limits, "steps.s");
});
