import assert from "node:assert/strict";
import { it } from "node:test";
import { LOAD_INTERVALS, loadCurves } from "./load-curves.ts";

const MINUTE = 60_000;
const TO = LOAD_INTERVALS * MINUTE;
const span = { cores: 2, ramBytes: 1000 };

it("averages the load of jobs in each interval", () => {
  const curves = loadCurves(
    [
      { ...span, queuedMs: 0, startedMs: MINUTE, endedMs: 2.5 * MINUTE },
      { ...span, queuedMs: 2.25 * MINUTE, startedMs: 2.5 * MINUTE, endedMs: 2.75 * MINUTE },
    ],
    0,
    TO,
  );
  assert.equal(curves.length, LOAD_INTERVALS);
  assert.deepEqual(curves.slice(0, 4), [
    { running: 0, waiting: 1, cores: 0, ram_bytes: 0 },
    { running: 1, waiting: 0, cores: 2, ram_bytes: 1000 },
    { running: 0.75, waiting: 0.25, cores: 1.5, ram_bytes: 750 },
    { running: 0, waiting: 0, cores: 0, ram_bytes: 0 },
  ]);
});

it("clips to the window, and continues open intervals", () => {
  const curves = loadCurves(
    [
      { ...span, queuedMs: -9 * MINUTE, startedMs: -5 * MINUTE, endedMs: 0.5 * MINUTE },
      { ...span, queuedMs: TO - 2 * MINUTE, startedMs: TO - MINUTE, endedMs: null },
      { ...span, queuedMs: TO - MINUTE, startedMs: null, endedMs: null },
    ],
    0,
    TO,
  );
  assert.equal(curves[0]?.running, 0.5);
  assert.deepEqual(curves.slice(-2), [
    { running: 0, waiting: 1, cores: 0, ram_bytes: 0 },
    { running: 1, waiting: 1, cores: 2, ram_bytes: 1000 },
  ]);
});
