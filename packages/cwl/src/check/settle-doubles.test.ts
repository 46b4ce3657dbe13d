import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlType } from "../model/cwl-type.ts";
import type { CwlValue } from "../model/cwl-value.ts";
import { either, list, of, record } from "../testing/arbitrary-type.ts";
import { settleDoubles } from "./settle-doubles.ts";

const LONG = 2n ** 53n + 1n;
const DOUBLE = 2 ** 53;

const CASES: Readonly<Record<string, readonly [CwlType, CwlValue, CwlValue]>> = {
  "a double": [of("double"), LONG, DOUBLE],
  "an optional float": [either(of("null"), of("float")), LONG, DOUBLE],
  "a long": [of("long"), LONG, LONG],
  "a long or a double": [either(of("double"), of("long")), LONG, LONG],
  Any: [of("Any"), LONG, LONG],
  "a list": [list(of("double")), [1, LONG, 2.5], [1, DOUBLE, 2.5]],
  "an optional list of lists": [either(of("null"), list(list(of("double")))), [[LONG], [1]], [[DOUBLE], [1]]],
  "fields of a record": [
    record({ a: of("long"), b: of("double") }),
    { a: LONG, b: LONG, other: LONG },
    { a: LONG, b: DOUBLE, other: LONG },
  ],
  "the record that fits": [
    either(record({ a: of("string") }), record({ a: of("double") })),
    { a: LONG },
    { a: DOUBLE },
  ],
};
for (const [name, [type, value, expected]] of Object.entries(CASES))
  test(`settleDoubles: ${name}`, () => assert.deepEqual(settleDoubles(type, value), expected));

test("settleDoubles returns a value without such a number unchanged", () => {
  const values = [1, 2.5, null];
  assert.equal(settleDoubles(list(either(of("null"), of("double"))), values), values);
  const fields = { a: [1.5] };
  assert.equal(settleDoubles(record({ a: list(of("double")) }), fields), fields);
});
