import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRelativeTime } from "./format-time.ts";

test("formatRelativeTime writes the distance from now", () => {
  const now = Date.parse("2026-11-21T12:00:00.000Z");
  const cases: [string, string][] = [
    ["2026-11-21T12:00:00.000Z", "just now"],
    ["2026-11-21T11:59:01.000Z", "just now"],
    ["2026-11-21T12:00:03.000Z", "just now"],
    ["2026-11-21T12:00:20.000Z", "in a moment"],
    ["2026-11-21T11:55:00.000Z", "5 min ago"],
    ["2026-11-21T09:30:00.000Z", "2 h ago"],
    ["2026-11-18T12:00:00.000Z", "3 days ago"],
    ["2026-09-01T12:00:00.000Z", "2026-09-01"],
  ];
  for (const [time, text] of cases) assert.equal(formatRelativeTime(time, now), text);
});
