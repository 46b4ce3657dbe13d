import assert from "node:assert/strict";
import { test } from "node:test";
import { neighborOf, type Direction } from "./neighbor-of.ts";

const box = (path: string, column: number, row: number) => ({
  path,
  ...{ x: column * 100, y: row * 50, width: 80, height: 40, depth: 0 },
});
const line = (from: string, to: string) => ({ from, to });
const drawing = {
  boxes: [box("a", 0, 1), box("b1", 1, 0), box("b2", 1, 1), box("b3", 1, 2), box("c", 2, 1)],
  lines: [line("a", "b1"), line("a", "b2"), line("a", "b3"), line("b1", "c"), line("b3", "c")],
};

test("neighborOf finds the nearest node in a direction", () => {
  const cases: [string, Direction, string | undefined][] = [
    ["a", "left", undefined],
    ["a", "right", "b2"],
    ["a", "up", undefined],
    ["b2", "up", "b1"],
    ["b2", "down", "b3"],
    ["b3", "down", undefined],
    ["b1", "left", "a"],
    ["b1", "right", "c"],
    ["b2", "right", undefined],
    ["nobody", "right", undefined],
  ];
  for (const [path, direction, expected] of cases)
    assert.equal(neighborOf(drawing, path, direction)?.path, expected, `${path} ${direction}`);
});
