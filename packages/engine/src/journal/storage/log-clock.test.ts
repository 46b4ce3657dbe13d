import assert from "node:assert/strict";
import { it } from "node:test";
import { LogClock } from "./log-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A machine whose clocks are moved by hand. */
function machine(wallMs = 1_000_000_000_000) {
  const now = { wallMs, steadyMs: 50, uptimeMs: 9000 };
  return {
    now,
    sources: { wallMs: () => now.wallMs, steadyMs: () => now.steadyMs, uptimeMs: () => now.uptimeMs },
    pass: (ms: number, { asleep = false } = {}): void => {
      now.wallMs += ms;
      now.uptimeMs += ms;
      if (!asleep) now.steadyMs += ms;
    },
  };
}

const busy = () => false;
const idle = () => true;

it("follows the wall clock", () => {
  const { now, sources, pass } = machine();
  const clock = new LogClock(sources);
  pass(1234);
  assert.deepEqual(clock.read(busy), { nowMs: now.wallMs, movedMs: 0 });
});

for (const [name, jumpMs] of [
  ["a month forward", 30 * DAY],
  ["an hour back", -HOUR],
  ["to the end of 32-bit time", Date.UTC(2038, 0, 19, 3, 14, 8) - 1_000_000_000_000],
  ["ten years back", -3650 * DAY],
] as const) {
  it(`keeps its pace while a run is open and the clock is set ${name}, and follows it afterwards`, () => {
    const { now, sources, pass } = machine();
    const clock = new LogClock(sources);
    const before = clock.read(busy).nowMs;
    now.wallMs += jumpMs;
    pass(60_000);
    assert.deepEqual(clock.read(busy), { nowMs: before + 60_000, movedMs: 0 });
    assert.deepEqual(clock.read(idle), { nowMs: now.wallMs, movedMs: jumpMs });
    assert.equal(clock.read(busy).movedMs, 0);
  });
}

it("counts the time that the machine slept", () => {
  const { now, sources, pass } = machine();
  const clock = new LogClock(sources);
  pass(8 * HOUR, { asleep: true });
  assert.deepEqual(clock.read(busy), { nowMs: now.wallMs, movedMs: 0 });
  pass(1000);
  now.wallMs += DAY;
  assert.equal(clock.read(busy).nowMs, now.wallMs - DAY);
});

it("does not go back before the last event that an earlier server wrote for an open run", () => {
  const { now, sources, pass } = machine();
  const clock = new LogClock(sources, now.wallMs + HOUR);
  pass(10);
  assert.equal(clock.read(busy).nowMs, now.wallMs + HOUR);
  assert.equal(clock.read(idle).nowMs, now.wallMs);
});
