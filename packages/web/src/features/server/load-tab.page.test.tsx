import { expect, test } from "vitest";
import { curvePath, scaleTop } from "./load-tab.tsx";

test("curvePath draws known values and leaves gaps for unknown ones", () => {
  expect(curvePath([0, 5, 10], 10, false)).toBe("M0 100L50 50L100 0");
  expect(curvePath([null, 10, null, 0, 5], 10, false)).toBe("M25 0M75 100L100 50");
  expect(curvePath([10, 10], 10, true)).toBe("M0 100L0 0L100 0L100 100Z");
  expect(curvePath([], 10, true)).toBe("");
  expect(curvePath([20], 10, false), "never beyond the box").toBe("M0 0");
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
  for (const [values, capacity, top] of cases) expect(scaleTop(values, capacity)).toBe(top);
});
