import assert from "node:assert/strict";
import { test } from "node:test";
import { nextAttemptMs, RETRIED_FOR_MS } from "./delivery-delays.ts";

test("retries become less frequent and end after a day", () => {
  const times: number[] = [];
  let nowMs: number | null = 0;
  for (let attempts = 1; nowMs !== null; attempts++) {
    times.push(nowMs);
    nowMs = nextAttemptMs({ attempts, requestedMs: 0, nowMs });
  }
  assert.ok(times.length >= 10 && times.length <= 20, String(times.length));
  assert.ok((times.at(-1) ?? 0) > RETRIED_FOR_MS - 4 * 3_600_000);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  assert.deepEqual(
    gaps,
    gaps.toSorted((a, b) => a - b),
  );
});
