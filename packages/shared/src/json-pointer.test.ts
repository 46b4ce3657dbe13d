import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonPointer, unescapeSegment } from "./json-pointer.ts";

test("jsonPointer escapes ~ and /", () => {
  const cases: [(string | number)[], string][] = [
    [[], ""],
    [["images", 0, "location"], "/images/0/location"],
    [["a/b", "c~d", "~1"], "/a~1b/c~0d/~01"],
  ];
  for (const [path, pointer] of cases) assert.equal(jsonPointer(path), pointer);
});

test("unescapeSegment reverses the escaping", () => {
  for (const key of ["a", "a/b", "c~d", "~1", "~0/", "/~"])
    assert.equal(unescapeSegment(jsonPointer([key]).slice(1)), key);
});
