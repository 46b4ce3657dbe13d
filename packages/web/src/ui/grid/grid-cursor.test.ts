import assert from "node:assert/strict";
import { test } from "node:test";
import { cursorAt, movedCursor, rangeOf, type GridCell } from "./grid-cursor.ts";

const SIZE = { rows: 100, columns: 4, page: 10 };
const NONE = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test("keys move the cursor and stop at the edges", () => {
  const cases: readonly (readonly [string, boolean, GridCell, GridCell])[] = [
    ["ArrowDown", false, { row: 3, column: 1 }, { row: 4, column: 1 }],
    ["ArrowDown", false, { row: 99, column: 1 }, { row: 99, column: 1 }],
    ["ArrowUp", false, { row: 0, column: 1 }, { row: 0, column: 1 }],
    ["ArrowUp", true, { row: 40, column: 1 }, { row: 0, column: 1 }],
    ["ArrowRight", false, { row: 3, column: 3 }, { row: 3, column: 3 }],
    ["ArrowRight", true, { row: 3, column: 0 }, { row: 3, column: 3 }],
    ["Home", false, { row: 3, column: 2 }, { row: 3, column: 0 }],
    ["End", true, { row: 3, column: 2 }, { row: 99, column: 3 }],
    ["PageDown", false, { row: 95, column: 2 }, { row: 99, column: 2 }],
    ["PageUp", false, { row: 15, column: 2 }, { row: 5, column: 2 }],
  ];
  for (const [key, ctrlKey, { row, column }, expected] of cases) {
    const moved = movedCursor(cursorAt(row, column), { ...NONE, key, ctrlKey }, SIZE);
    assert.deepEqual(moved, { active: expected, anchor: expected }, key);
  }
});

test("Shift keeps the other corner of the range", () => {
  const moved = movedCursor(cursorAt(3, 2), { ...NONE, key: "ArrowUp", shiftKey: true }, SIZE);
  assert.ok(moved);
  assert.deepEqual(rangeOf(moved), { top: 2, bottom: 3, left: 2, right: 2 });
});

test("other keys, and keys in an empty grid, do not move it", () => {
  assert.equal(movedCursor(cursorAt(0, 0), { ...NONE, key: "x" }, SIZE), undefined);
  assert.equal(movedCursor(cursorAt(0, 0), { ...NONE, key: "ArrowDown", altKey: true }, SIZE), undefined);
  assert.equal(movedCursor(cursorAt(0, 0), { ...NONE, key: "ArrowDown" }, { ...SIZE, rows: 0 }), undefined);
});
