import assert from "node:assert/strict";
import { test } from "node:test";
import { RefetchScheduler } from "./refetch-scheduler.ts";

function setUp() {
  const reads: string[] = [];
  const timers: (() => void)[] = [];
  const subject = new RefetchScheduler<string>({
    refetch: (key) => (reads.push(key), Promise.resolve()),
    schedule: (_delayMs, run) => void timers.push(run),
    intervalMs: 1000,
  });
  return { subject, reads, timers };
}

test("many requests within an interval are two reads: the first and one at its end", async () => {
  const { subject, reads, timers } = setUp();
  for (let n = 0; n < 50; n += 1) subject.request("run");
  await Promise.resolve();
  assert.deepEqual(reads, ["run"]);
  timers.shift()?.();
  await Promise.resolve();
  assert.deepEqual(reads, ["run", "run"]);
  timers.shift()?.();
  assert.equal(timers.length, 0);
  assert.deepEqual(reads, ["run", "run"]);
});

test("keys do not wait for each other", () => {
  const { subject, reads } = setUp();
  subject.request("a");
  subject.request("b");
  assert.deepEqual(reads, ["a", "b"]);
});
