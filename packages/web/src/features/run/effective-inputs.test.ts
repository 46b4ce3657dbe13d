import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { effectiveInputs } from "./effective-inputs.ts";

function input(id: string, fallback?: unknown): InputRecord {
  const base: InputRecord = { id, type: { kind: "int" }, type_text: "int", required: false };
  return fallback === undefined ? base : { ...base, default: fallback };
}

test("effectiveInputs", () => {
  const declared = [input("a", 1), input("b", 2), input("c"), input("d", 4), input("e", false)];
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
