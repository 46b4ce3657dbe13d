import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimeLeft } from "./format-time-left.ts";

const NOW_MS = Date.parse("2026-11-21T10:00:00.000Z");

test("formatTimeLeft says in coarse steps how long a run still takes", () => {
  const cases: [leftSeconds: number, text: string][] = [
    [-30, "less than a minute left"],
    [59, "less than a minute left"],
    [60, "about 1 min left"],
    [61, "about 2 min left"],
    [58 * 60, "about 58 min left"],
    [59 * 60, "about 1 h left"],
    [64 * 60, "about 1 h left"],
    [66 * 60, "about 1 h 10 min left"],
    [(2 * 60 + 56) * 60, "about 3 h left"],
    [23 * 3600, "about 23 h left"],
    [24 * 3600, "about 1 d left"],
    [100 * 3600, "about 4 d left"],
  ];
  for (const [leftSeconds, text] of cases)
    assert.equal(formatTimeLeft(new Date(NOW_MS + leftSeconds * 1000).toISOString(), NOW_MS), text, `${leftSeconds} s`);
});
