import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isBelow } from "./is-below.ts";

describe("isBelow", () => {
  const cases = [
    ["/a/b", "/a/b", true],
    ["/a/b/c", "/a/b", true],
    ["/a/b/c", "/a/b/", true],
    ["/a/b", "/", true],
    ["/a/bc", "/a/b", false],
    ["/a", "/a/b", false],
    ["/a/b/../c", "/a/b", false],
    ["/a/b/c/../../..", "/a/b", false],
    ["/a/b/..c", "/a/b", true],
    ["/a/b/c/..", "/a/b", true],
  ] as const;
  for (const [path, folder, expected] of cases)
    it(`${path} is ${expected ? "" : "not "}below ${folder}`, () => {
      assert.equal(isBelow(path, folder), expected);
    });
});
