import assert from "node:assert/strict";
import { test } from "node:test";
import { inputRecord } from "../../testing/input-record.ts";
import { effectiveInputs } from "./effective-inputs.ts";

test("effectiveInputs", () => {
  const fallbacks = { a: 1, b: 2, c: undefined, d: 4, e: false };
  const declared = Object.entries(fallbacks).map(([id, value]) => inputRecord(id, "Any", { default: value }));
  const found = effectiveInputs({ z: "extra", b: 20, d: null, constructor: 1 }, declared);
  assert.deepEqual(
    found.map(({ id, source, value }) => [id, source, value]),
    [
      ["a", "default", 1],
      ["b", "given", 20],
      ["c", "none", null],
      ["d", "default", 4],
      ["e", "default", false],
      ["z", "given", "extra"],
      ["constructor", "given", 1],
    ],
  );
  assert.deepEqual(effectiveInputs({}, []), []);
});
