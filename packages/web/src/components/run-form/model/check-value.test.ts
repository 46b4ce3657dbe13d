import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { inputRecord, optional } from "../../../testing/input-record.ts";
import { checkInputs, checkValue, pastedEntries } from "./check-value.ts";

const file = { kind: "File" } as const;
const pair: CwlTypeRecord = {
  kind: "record",
  fields: [
    { name: "image", type: file },
    { name: "weight", type: optional({ kind: "float" }) },
  ],
};

test("checkValue names the path and the fault", () => {
  const cases: [CwlTypeRecord, unknown, string[]][] = [
    [{ kind: "int" }, 4, []],
    [{ kind: "int" }, 4.5, [": 4.5 is not a whole number"]],
    [{ kind: "int" }, "four", [': "four" is not a whole number']],
    [{ kind: "int" }, 2 ** 31, [": 2147483648 is out of range for int"]],
    [{ kind: "long" }, 2 ** 31, []],
    [{ kind: "long" }, 2n ** 63n - 1n, []],
    [{ kind: "long" }, -(2n ** 63n), []],
    [{ kind: "double" }, 2n ** 53n, []],
    [{ kind: "int" }, 2n ** 53n, [": 9007199254740992 is out of range for int"]],
    [{ kind: "long" }, 2 ** 63, [": A long is a whole number from -9223372036854775808 to 9223372036854775807"]],
    [{ kind: "long" }, 1e17, [": Write the number with all its digits, without an exponent or a decimal point"]],
    [{ kind: "double" }, 1e-3, []],
    [{ kind: "double" }, "1e", [': "1e" is not a number']],
    [{ kind: "boolean" }, "yes", [": Choose yes or no"]],
    [{ kind: "enum", symbols: ["a", "b"] }, "c", [': "c" is not one of a, b']],
    [file, { class: "File", location: "weft-data://x/y" }, []],
    [file, { class: "File", contents: "" }, []],
    [file, { class: "File", location: "" }, [": Choose a file"]],
    [file, { class: "Directory", location: "x" }, [": Expected a file"]],
    [{ kind: "array", items: file }, [{ class: "File", path: "/x" }, null], ["/1: Enter a value"]],
    [{ kind: "array", items: { kind: "int" } }, 3, [": Expected a list"]],
    [pair, { image: { class: "File", path: "/x" } }, []],
    [
      pair,
      { weight: "x", other: 1 },
      ["/image: Enter a value", '/weight: "x" is not a number', "/other: Unknown field: other"],
    ],
    [optional({ kind: "int" }), null, []],
    [optional({ kind: "int" }), "x", [': "x" is not a whole number']],
    [{ kind: "union", options: [{ kind: "int" }, { kind: "string" }] }, true, [": Expected int, string"]],
    [
      { kind: "union", options: [{ kind: "int" }, { kind: "array", items: { kind: "int" } }] },
      [1, "x"],
      ['/1: "x" is not a whole number'],
    ],
    [{ kind: "Any" }, { a: [1] }, []],
  ];
  for (const [type, value, expected] of cases) {
    const found = checkValue(type, value, []).map(({ pointer, message }) => `${pointer}: ${message}`);
    assert.deepEqual(found, expected);
  }
});

test("checkInputs requires only required inputs", () => {
  const inputs = [
    ...[inputRecord("image", file), inputRecord("mask", optional(file))],
    inputRecord("sigma", "float", { default: 2 }),
  ];
  assert.deepEqual(checkInputs(inputs, {}), [{ pointer: "/image", message: "This input is required" }]);
  assert.deepEqual(checkInputs(inputs, { image: { class: "File", path: "/x" }, sigma: 1 }), []);
});

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
