import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimeLeft, laterEstimate } from "./format-time-left.ts";

const MIN = 60_000;

function estimate(expected: number, low: number, high: number) {
  return { expected_ms: expected * MIN, low_ms: low * MIN, high_ms: high * MIN };
}

test("formatTimeLeft rounds the remaining time, and shows its bounds if they are informative", () => {
  const cases: [minutes: [expected: number, low: number, high: number], text: string][] = [
    [[0, 0, 0], "less than a minute"],
    [[0.5, 0.2, 0.9], "less than a minute"],
    [[1, 0.5, 1], "about 1 min"],
    [[1, 0.5, 3], "about 1 min, 1–3 min"],
    [[12, 8, 20], "about 12 min, 8–20 min"],
    [[11.5, 11.2, 11.9], "about 12 min"],
    [[50, 30, 80], "about 50 min, 30 min–1 h 20 min"],
    [[140, 90, 240], "about 2 h 20 min, 1 h 30 min–4 h"],
    [[180, 120, 240], "about 3 h, 2–4 h"],
    [[100 * 60, 50 * 60, 200 * 60], "about 4 d, 2–8 d"],
  ];
  for (const [minutes, text] of cases) assert.equal(formatTimeLeft(estimate(...minutes)), text, String(minutes));
});

test("laterEstimate counts down to zero", () => {
  assert.deepEqual(laterEstimate(estimate(12, 8, 20), 5 * MIN), estimate(7, 3, 15));
  assert.deepEqual(laterEstimate(estimate(12, 8, 20), 10 * MIN), estimate(2, 0, 10));
  assert.deepEqual(laterEstimate(estimate(12, 8, 20), -MIN), estimate(12, 8, 20), "a clock that is behind");
});
