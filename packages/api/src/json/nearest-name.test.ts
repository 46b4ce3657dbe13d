import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestName } from "./nearest-name.ts";

const KNOWN = ["network", "tool", "page_size", "state"];

const CASES: readonly (readonly [name: string, nearest: string | undefined])[] = [
  ["netwrok", "network"],
  ["Network", "network"],
  ["tools", "tool"],
  ["pagesize", "page_size"],
  ["stat", "state"],
  ["colour", undefined],
  ["", undefined],
  ["x".repeat(10_000), undefined],
];

test("nearestName finds the most similar name", async (t) => {
  for (const [name, nearest] of CASES)
    await t.test(name.slice(0, 20), () => assert.equal(nearestName(name, KNOWN), nearest));
  await t.test("finds none in an empty list", () => assert.equal(nearestName("a", []), undefined));
});
