import assert from "node:assert/strict";
import { test } from "node:test";
import { lineHash, parseLineHash } from "./line-hash.ts";

test("parseLineHash", () => {
  const cases: [string, string | undefined][] = [
    ["#L10", "#L10"],
    ["#L10-L20", "#L10-L20"],
    ["#L20-L10", "#L10-L20"],
    ["#L10-20", "#L10-L20"],
    ["#L7-L7", "#L7"],
    ["#L0", undefined],
    ["#L", undefined],
    ["#x", undefined],
    ["", undefined],
  ];
  for (const [hash, expected] of cases) {
    const range = parseLineHash(hash);
    assert.equal(range && lineHash(range), expected, hash);
  }
});
