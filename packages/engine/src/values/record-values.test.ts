import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { recordedValues, recordValues } from "./record-values.ts";

const uris = new PortableUris({});

const large = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .filter((value) => !Number.isSafeInteger(Number(value)));
const number = fc.oneof(
  large,
  large.map(Number),
  fc.double({ noDefaultInfinity: true, noNaN: true }).filter((value) => !Object.is(value, -0)), // JSON.stringify writes 0
  fc.maxSafeInteger(),
);

test("the log returns every number unchanged: long, double or integer", () => {
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const values: CwlObject = { numbers, record: { first: numbers[0] ?? null, text: ": 9007199254740993" } };
      assert.deepEqual(recordedValues(recordValues(values, uris).blob.text), values);
    }),
  );
});
