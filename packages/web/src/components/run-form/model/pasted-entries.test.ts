import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { pastedEntries } from "./pasted-entries.ts";

const CASES: readonly (readonly [CwlTypeRecord["kind"], string, readonly unknown[] | undefined])[] = [
  ["string", "one\ntwo\r\nthree\n", ["one", "two", "three"]],
  ["string", "a\tb", ["a", "b"]],
  ["string", "a, b and c", undefined],
  ["string", "one line\n", undefined],
  ["int", "1\n2\nthree", [1, 2, "three"]],
  ["double", "0.5, 1e-3;2", [0.5, 0.001, 2]],
  ["boolean", "true\tno\tperhaps", [true, false, "perhaps"]],
  ["File", "a\nb", undefined],
];

for (const [kind, text, entries] of CASES)
  test(`reads ${JSON.stringify(text)} pasted into a list of ${kind}`, () => {
    // The table has only kinds without parts.
    assert.deepEqual(pastedEntries({ kind } as CwlTypeRecord, text), entries);
  });
