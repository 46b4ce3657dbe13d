import assert from "node:assert/strict";
import { test } from "node:test";
import { locateJsonError } from "./locate-json-error.ts";

const VALID = ["1", "-0.5e+3", '"a\\u00e9\\n"', "[]", "{}", ' { "a" : [ 1 , { "b" : null } , true ] } \n'];

const BROKEN: readonly (readonly [text: string, offset: number, expected: RegExp])[] = [
  ["", 0, /a value/],
  ["{", 1, /key.*`}`/],
  ['{"a"}', 4, /`:`/],
  ['{"a":}', 5, /a value/],
  ['{"a":1,}', 7, /key in double quotes$/],
  ['{"a":1 "b"', 7, /`,` or `}`/],
  ["[1,]", 3, /a value$/],
  ["[1", 2, /`,` or `]`/],
  ["[1}", 2, /`,` or `]`/],
  ["{a:1}", 1, /double quotes/],
  ["'a'", 0, /a value/],
  ["01", 0, /a value/],
  ["1.", 0, /a value/],
  ["nul", 0, /a value/],
  ["truefalse", 0, /a value/],
  ['"abc', 4, /closing/],
  ['"a\nb"', 2, /control/],
  ['"\\x"', 1, /escape/],
  ['"\\u12"', 1, /escape/],
  ["1 2", 2, /end of the text/],
  ["[[[[", 4, /`]`/],
];

test("locateJsonError finds the first fault", async (t) => {
  for (const text of VALID)
    await t.test(`finds nothing in ${text}`, () => assert.equal(locateJsonError(text), undefined));
  for (const [text, offset, expected] of BROKEN) {
    await t.test(`finds ${JSON.stringify(text)} broken at ${offset}`, () => {
      assert.throws(() => JSON.parse(text));
      const fault = locateJsonError(text);
      assert.equal(fault?.offset, offset);
      assert.match(fault?.expected ?? "", expected);
    });
  }
});

test("locateJsonError reads nesting and strings of any size", () => {
  assert.equal(locateJsonError("[".repeat(200_000))?.offset, 200_000);
  assert.equal(locateJsonError(`"${"a".repeat(5_000_000)}`)?.offset, 5_000_001);
});

test("counts lines and columns from one", () => {
  const { line, column, expected } = locateJsonError('{"a": 1,\n "b": }') ?? assert.fail();
  assert.deepEqual([line, column, expected], [2, 7, "a value"]);
});

test("finds a fault exactly where JSON.parse does", () => {
  const source = '{"a": [1, 2.5, "x\\n"], "b": {"c": null, "d": true}}';
  for (let at = 0; at < source.length; at += 1)
    for (const text of [
      source.slice(0, at),
      source.slice(0, at) + source.slice(at + 1),
      `${source.slice(0, at)},${source.slice(at)}`,
    ])
      assert.equal(locateJsonError(text) === undefined, isJson(text), text);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
