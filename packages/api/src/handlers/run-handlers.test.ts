import assert from "node:assert/strict";
import { test } from "node:test";
import { knownRevision, runEntityTag } from "../http/entity-tag.ts";
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

test("knownRevision reads back what runEntityTag wrote", () => {
  assert.equal(knownRevision(runEntityTag("run-1", 17), "run-1"), 17);
  assert.equal(knownRevision(`"other", ${runEntityTag("run-1", 3)}`, "run-1"), 3);
  assert.equal(knownRevision(runEntityTag("run-2", 17), "run-1"), undefined);
  assert.equal(knownRevision('W/"run-1-x"', "run-1"), undefined);
  assert.equal(knownRevision("", "run-1"), undefined);
});
