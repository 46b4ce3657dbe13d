import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlType } from "../model/cwl-type.ts";
import type { CwlValue } from "../model/cwl-value.ts";
import { settleDoubles } from "./settle-doubles.ts";

const LONG = 2n ** 53n + 1n;
const DOUBLE = 2 ** 53;
const kind = (name: "null" | "int" | "long" | "float" | "double" | "Any" | "string"): CwlType => ({ kind: name });
const union = (...options: readonly CwlType[]): CwlType => ({ kind: "union", options });
const array = (items: CwlType): CwlType => ({ kind: "array", items });
const record = (fields: Readonly<Record<string, CwlType>>): CwlType => ({
  kind: "record",
  fields: Object.entries(fields).map(([name, type]) => ({
    name,
    type,
    secondaryFiles: [],
    streamable: false,
    loadContents: false,
  })),
});

const CASES: Readonly<Record<string, readonly [CwlType, CwlValue, CwlValue]>> = {
  "a double": [kind("double"), LONG, DOUBLE],
  "an optional float": [union(kind("null"), kind("float")), LONG, DOUBLE],
  "a long": [kind("long"), LONG, LONG],
  "a long or a double": [union(kind("double"), kind("long")), LONG, LONG],
  Any: [kind("Any"), LONG, LONG],
  "a list": [array(kind("double")), [1, LONG, 2.5], [1, DOUBLE, 2.5]],
  "an optional list of lists": [union(kind("null"), array(array(kind("double")))), [[LONG], [1]], [[DOUBLE], [1]]],
  "fields of a record": [
    record({ a: kind("long"), b: kind("double") }),
    { a: LONG, b: LONG, other: LONG },
    { a: LONG, b: DOUBLE, other: LONG },
  ],
  "the record that fits": [
    union(record({ a: kind("string") }), record({ a: kind("double") })),
    { a: LONG },
    { a: DOUBLE },
  ],
};
for (const [name, [type, value, expected]] of Object.entries(CASES))
  test(`settleDoubles: ${name}`, () => assert.deepEqual(settleDoubles(type, value), expected));

test("settleDoubles returns a value without such a number unchanged", () => {
  const values = [1, 2.5, null];
  assert.equal(settleDoubles(array(union(kind("null"), kind("double"))), values), values);
  const fields = { a: [1.5] };
  assert.equal(settleDoubles(record({ a: array(kind("double")) }), fields), fields);
});
