import assert from "node:assert/strict";
import { test } from "node:test";
import { findJsonFault } from "./find-json-fault.ts";

test("findJsonFault names the place and what should stand there", () => {
  const cases: [string, string | undefined][] = [
    ["{}", undefined],
    [' { "a" : [1, -2.5e3, "x\\u00e9\\n", true, null, {}] } ', undefined],
    ["", "1:1 The text ends where a value is expected"],
    ['{"a": 1,\n "b": }', "2:7 } is no value"],
    ['{"a": 1,\n}', "2:1 No comma may stand before }"],
    ["[1 2]", "1:4 A comma or ] is expected"],
    ["[1,\n2", "2:2 The text ends inside of a list"],
    ['{"a": 1', "1:8 The text ends inside of an object"],
    ["{a: 1}", "1:2 The name of a field is expected, in double quotes"],
    ['{"a" 1}', "1:6 A colon is expected after the name of a field"],
    ["{'a': 1}", "1:2 The name of a field is expected, in double quotes"],
    ["['a']", "1:2 Texts stand in double quotes"],
    ['["a', "1:2 This text is not closed by a double quote"],
    ['["\\x"]', "1:3 This is no escape that JSON knows"],
    ["[01]", "1:2 01 is no value"],
    ["[True]", "1:2 True is no value"],
    ["{} {}", "1:4 Nothing may stand after the value"],
    ['["a\tb"]', "1:4 A control character must be written as an escape"],
  ];
  for (const [text, expected] of cases) {
    const fault = findJsonFault(text);
    assert.equal(fault && `${fault.line}:${fault.column} ${fault.message}`, expected, text);
  }
});

test("it finds a fault exactly where JSON.parse does", () => {
  const source = '{"a": [1, 2.5, "x\\n"], "b": {"c": null, "d": true}}';
  for (let at = 0; at < source.length; at += 1)
    for (const text of [
      source.slice(0, at),
      source.slice(0, at) + source.slice(at + 1),
      `${source.slice(0, at)},${source.slice(at)}`,
    ]) {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      assert.equal(findJsonFault(text) === undefined, isJson, text);
    }
});
