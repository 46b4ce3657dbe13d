import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { mayHoldLong, parseExactJson, wholeNumber } from "./exact-json.ts";

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);
const anyLong = fc.bigInt({ min: SMALLEST, max: LARGEST });

describe("parseExactJson", () => {
  test("keeps every whole number of 64 bits, anywhere in a value", () => {
    fc.assert(
      fc.property(anyLong, fc.string(), fc.boolean(), (long, key, isSpaced) => {
        const text = JSON.stringify({ [key]: [null, { a: long }] }, null, isSpaced ? 2 : 0);
        assert.equal(JSON.stringify(parseExactJson(text), null, isSpaced ? 2 : 0), text);
        const expected = Number.isSafeInteger(Number(long)) ? Number(long) : long;
        assert.deepEqual((parseExactJson(text) as { readonly [key: string]: unknown })[key], [null, { a: expected }]);
        assert.equal(parseExactJson(String(long)), expected);
      }),
    );
  });

  test("reads everything else like JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        // Whole numbers beyond 2^53 are the difference.
        if (!/\d{16}/.test(text)) assert.deepEqual(parseExactJson(text), JSON.parse(text));
      }),
    );
  });

  const NUMBERS: readonly (readonly [string, number | bigint])[] = [
    ["9007199254740991", 2 ** 53 - 1],
    ["9007199254740992", 2n ** 53n],
    ["9007199254740993", 2n ** 53n + 1n],
    ["-9007199254740993", -(2n ** 53n) - 1n],
    ["9223372036854775807", LARGEST],
    ["9223372036854775808", 2 ** 63],
    ["-9223372036854775808", SMALLEST],
    ["-9223372036854775809", -(2 ** 63)],
    ["1e18", 1e18],
    ["1000000000000000000.0", 1e18],
    ["0.1234567890123456", 0.1234567890123456],
    ["4200000000000000000000000000000000000000000", 4.2e42],
    ["-0", -0],
  ];
  for (const [text, number] of NUMBERS)
    test(text, () => {
      assert.ok(Object.is(parseExactJson(text), number));
      assert.ok(Object.is((parseExactJson(`{"a":[1, ${text}]}`) as { readonly a: readonly unknown[] }).a[1], number));
    });

  test("does not change digits within strings", () => {
    const text = '{"a":"1234567890123456789","b":"x, 1234567890123456789"}';
    assert.deepEqual(parseExactJson(text), JSON.parse(text));
  });

  test("uses the slow path only for texts that may contain a large whole number", () => {
    assert.equal(
      mayHoldLong('{"checksum":"sha1$1234567890123456789012345678901234567890","x":0.1234567890123456}'),
      false,
    );
    assert.equal(mayHoldLong('{"a":-1234567890123456}'), true);
  });

  test("returns values that nest too deeply as JSON.parse does", () => {
    const text = `${"[".repeat(100_000)}12345678901234567${"]".repeat(100_000)}`;
    assert.ok(Array.isArray(parseExactJson(text)));
  });

  test("keeps a field called __proto__ an own field", () => {
    const value = parseExactJson('{"__proto__":{"a":12345678901234567}}') as object;
    assert.ok(Object.hasOwn(value, "__proto__"));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  test("throws SyntaxError for text that is not JSON", () => {
    assert.throws(() => parseExactJson('{"a": 12345678901234567'), SyntaxError);
    assert.throws(() => parseExactJson("012345678901234567"), SyntaxError);
  });
});

const TEXTS: readonly (readonly [string, number | bigint])[] = [
  ["+9223372036854775807", LARGEST],
  ["0x7fffffffffffffff", LARGEST],
  ["0o777777777777777777777", LARGEST],
  ["007", 7],
  [`${"0".repeat(100)}7`, 7],
  ["9".repeat(1_000_000), Number.POSITIVE_INFINITY],
];
for (const [text, number] of TEXTS)
  test(`wholeNumber reads ${text.slice(0, 40)}`, () => assert.equal(wholeNumber(text), number));
