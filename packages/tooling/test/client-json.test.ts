import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { parseExact, writeExact } from "../../../clients/typescript/src/exact-json.ts";

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.constantFrom(null, true, "9007199254740993", ": 9007199254740993"),
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value")),
  ),
})).value;

test("the TypeScript client reads and writes numbers like the server", () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = writeExact(value);
      assert.deepEqual(parseExact(text), parseExactJson(text));
    }),
  );
});

test("the TypeScript client writes numbers exactly as it read them", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (long) => {
      const text = `{"a":[${long}]}`;
      assert.equal(writeExact(parseExact(text)), text);
    }),
  );
});
