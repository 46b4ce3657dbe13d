import assert from "node:assert/strict";
import { test } from "node:test";
import { dayStart } from "./day-start.ts";

test("dayStart is midnight where the viewer is, and nothing for what is no day", () => {
  assert.equal(dayStart("2026-11-21"), new Date(2026, 10, 21).toISOString());
  for (const wrong of ["", "yesterday", "2026-11", "2026-11-21T00:00"]) assert.equal(dayStart(wrong), "");
});
