import assert from "node:assert/strict";
import { test } from "node:test";
import { preferredWait } from "./run-handlers.ts";

const PREFERENCES: readonly (readonly [header: string, seconds: number | undefined])[] = [
  ["wait=30", 30],
  ["respond-async, wait = 5", 5],
  ['wait="7"; foo=bar', 7],
  ["WAIT=600", 60],
  ["wait=0", 0],
  ["", undefined],
  ["wait=soon", undefined],
  ["await=3", undefined],
];

test("preferredWait reads the seconds of the Prefer header", async (t) => {
  for (const [header, seconds] of PREFERENCES) await t.test(header, () => assert.equal(preferredWait(header), seconds));
});
