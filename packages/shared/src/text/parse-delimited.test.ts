import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDelimited } from "./parse-delimited.ts";

test("parseDelimited reads quoted cells", () => {
  const cases: Readonly<Record<string, readonly ["," | "\t", ...string[][]]>> = {
    "a,b\n1,2\n": [",", ["a", "b"], ["1", "2"]],
    "a,b\r\n1,2": [",", ["a", "b"], ["1", "2"]],
    '"x, y","he said ""no"""\n': [",", ["x, y", 'he said "no"']],
    "a\tb\n\tc": ["\t", ["a", "b"], ["", "c"]],
    "a,\n": [",", ["a", ""]],
    "a,": [",", ["a", ""]],
    '"open': [",", ["open"]],
    '"a"b,c\n"d" ,e\n': [",", ["ab", "c"], ["d ", "e"]],
    "": [","],
  };
  for (const [text, [separator, ...rows]] of Object.entries(cases))
    assert.deepEqual(parseDelimited(text, separator, 100), rows);
});

test("parseDelimited stops at the limit", () => assert.equal(parseDelimited("1\n2\n3\n4\n", ",", 2).length, 2));
