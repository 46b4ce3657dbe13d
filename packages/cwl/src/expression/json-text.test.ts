import assert from "node:assert/strict";
import { test } from "node:test";
import { decimalText, jsonText } from "./json-text.ts";

const NUMBERS: readonly (readonly [number, string])[] = [
  [0, "0"],
  [-0.5, "-0.5"],
  [1.23e-5, "0.0000123"],
  [1e-7, "0.0000001"],
  [-2.5e-9, "-0.0000000025"],
  [1.23e5, "123000"],
  [1e21, "1000000000000000000000"],
  [1.5e22, "15000000000000000000000"],
  [Number.MAX_SAFE_INTEGER, "9007199254740991"],
];
for (const [number, text] of NUMBERS)
  test(`writes ${number} in decimal`, () => assert.equal(decimalText(number), text));

test("JSON text has sorted keys and spaces", () => {
  assert.equal(
    jsonText({ b: [1, null, "x\n", 2n ** 63n - 1n], a: { z: true, y: 1e-7 } }),
    '{"a": {"y": 0.0000001, "z": true}, "b": [1, null, "x\\n", 9223372036854775807]}',
  );
});
