import assert from "node:assert/strict";
import { test } from "node:test";
import { dayRange } from "./day-range.ts";

test("dayRange covers whole local days", () => {
  const start = (month: number, day: number) => new Date(2026, month, day).toISOString();
  assert.deepEqual(dayRange({ from: "2026-11-23", to: "2026-11-30" }), { since: start(10, 23), until: start(11, 1) });
  assert.deepEqual(dayRange({ from: "2026-02-28", to: "" }), { since: start(1, 28) });
  for (const wrong of ["2026-02-31", "x", "2026-13-01", "2026-1-1", "2026-11-23T00:00"])
    assert.deepEqual(dayRange({ from: wrong, to: wrong }), {});
});
