import assert from "node:assert/strict";
import { test } from "node:test";
import { moveInGrid } from "./move-in-grid.ts";

test("keys move in a grid and stop at its edges", () => {
  const size = { rows: 10, columns: 3, inSight: 4 };
  const cases: readonly (readonly [string, number, number, string])[] = [
    ["ArrowRight", 0, 0, "0.1"],
    ["ArrowRight", 0, 2, "0.2"],
    ["ArrowLeft", 0, 0, "0.0"],
    ["ArrowDown", 9, 1, "9.1"],
    ["ArrowUp", 1, 1, "0.1"],
    ["PageDown", 1, 1, "5.1"],
    ["PageUp", 1, 1, "0.1"],
    ["Home", 4, 2, "4.0"],
    ["End", 4, 0, "4.2"],
  ];
  for (const [key, row, column, expected] of cases) {
    const next = moveInGrid({ row, column }, key, size);
    assert.equal(`${next?.row}.${next?.column}`, expected, key);
  }
  assert.equal(moveInGrid({ row: 0, column: 0 }, "a", size), undefined);
});
