import assert from "node:assert/strict";
import { test } from "node:test";
import { nestingOf } from "./nesting-of.ts";

const CASES: readonly (readonly [unknown, number])[] = [
  [1, 0],
  ["[[[", 0],
  ['a"[{\\', 0],
  [[], 1],
  [{ a: [{}], "[": 1 }, 3],
  [[["\\"], ['\\"[']], 2],
];
for (const [value, expected] of CASES) {
  test(`nestingOf ${JSON.stringify(value)} is ${expected}`, () =>
    assert.equal(nestingOf(JSON.stringify(value)), expected));
}
