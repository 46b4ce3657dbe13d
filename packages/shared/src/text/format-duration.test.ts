import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration, formatWholeSeconds } from "./format-duration.ts";

test("formatDuration writes at most two units, rounded down", () => {
  const cases: [number, string][] = [
    [0, "0 ms"],
    [340, "340 ms"],
    [4290, "4.2 s"],
    [9999, "9.9 s"],
    [12_700, "12 s"],
    [65_000, "1 m 05 s"],
    [3_723_000, "1 h 02 m 03 s"],
    [176_400_000, "2 d 01 h"],
  ];
  for (const [durationMs, text] of cases) assert.equal(formatDuration(durationMs), text);
});

test("formatWholeSeconds never shows fractions or negative time", () => {
  assert.equal(formatWholeSeconds(1900), "1 s");
  assert.equal(formatWholeSeconds(-50), "0 s");
});
