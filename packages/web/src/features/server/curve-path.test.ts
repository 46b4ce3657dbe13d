import assert from "node:assert/strict";
import { test } from "node:test";
import { curvePath, scaleTop } from "./curve-path.ts";

test("curvePath draws known values and leaves gaps for unknown ones", () => {
  assert.equal(curvePath([0, 5, 10], 10, false), "M0 100L50 50L100 0");
  assert.equal(curvePath([null, 10, null, 0, 5], 10, false), "M25 0M75 100L100 50");
  assert.equal(curvePath([10, 10], 10, true), "M0 100L0 0L100 0L100 100Z");
  assert.equal(curvePath([], 10, true), "");
  assert.equal(curvePath([20], 10, false), "M0 0", "never beyond the box");
});

test("scaleTop is the capacity, or a round number", () => {
  const cases: [values: (number | null)[], capacity: number | undefined, top: number][] = [
    [[1, null], 8, 8],
    [[9], 8, 10],
    [[], undefined, 1],
    [[0.4], undefined, 1],
    [[13], undefined, 20],
    [[430], undefined, 500],
    [[1000], undefined, 1000],
  ];
  for (const [values, capacity, top] of cases) assert.equal(scaleTop(values, capacity), top);
});
