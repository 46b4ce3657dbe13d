import assert from "node:assert/strict";
import { test } from "node:test";
import { yamlSyntax } from "./yaml-syntax.ts";

const VALUES = {
  image: {
    class: "File",
    location: "weft-data://study/sub-01.nii",
    secondaryFiles: [{ class: "File", path: "a.bai" }],
  },
  threshold: 1e-7,
  count: 9_007_199_254_740_991,
  label: "yes",
  date: "2020-01-01",
  octal: "0o17",
  longs: [9_007_199_254_740_993n, -(2n ** 63n), 2n ** 63n - 1n],
  digits: "9007199254740993",
  text: "two\nlines",
  nothing: null,
  list: [],
  "a: b": [[1, 2.5], [true]],
};

test("written values are read unchanged", () => {
  assert.deepEqual(yamlSyntax.read(yamlSyntax.write(VALUES)), { values: VALUES });
  assert.deepEqual(yamlSyntax.read(yamlSyntax.write({})), { values: {} });
});

test("YAML 1.2 is read as by the server: dates and yes are strings, JSON is YAML", () => {
  assert.deepEqual(yamlSyntax.read("day: 2020-01-01\nflag: yes\nn: 0x10\n"), {
    values: { day: "2020-01-01", flag: "yes", n: 16 },
  });
  assert.deepEqual(yamlSyntax.read('{"a": [1, null]}'), { values: { a: [1, null] } });
});

test("whole numbers keep their digits", () => {
  assert.deepEqual(
    yamlSyntax.read("a: 9007199254740993\nb: +9007199254740993\nc: 0x7fffffffffffffff\nd: !!int 0b11\n"),
    {
      values: { a: 9_007_199_254_740_993n, b: 9_007_199_254_740_993n, c: 2n ** 63n - 1n, d: 3 },
    },
  );
  assert.equal(yamlSyntax.write({ a: [2n ** 63n - 1n] }), "a:\n  - 9223372036854775807\n");
});

test("a text without values is an empty input object", () => {
  for (const text of ["", "\n  \n", "# nothing yet\n", "---\n"])
    assert.deepEqual(yamlSyntax.read(text), { values: {} });
});

const FAULTS: readonly (readonly [text: string, fault: RegExp])[] = [
  ["a: 1\nb: [1,\n", /^Line 3, column 1: .*bracket/],
  ["a: 1\na: 2\n", /^Line 2, column 1: Duplicated mapping key/],
  ["ok: 1\nname: a: b\n", /^Line 2, column 8: .*quote text/],
  ["a:\n\tb: 1\n", /^Line 2, column \d: .*tabs/],
  ["a: *none\n", /^Line 1, column 5: Unidentified alias/],
  ["a: !!binary x\n", /^Line 1, column 4: Unknown scalar tag/],
  ["- 1\n- 2\n", /^Line 1, column 1: Inputs must be a map/],
  ["a: 1\nlimit: -.inf\n", /^Line 2, column 8: Infinity/],
];

for (const [text, fault] of FAULTS)
  test(`${JSON.stringify(text)} is refused with its position`, () => {
    assert.match(yamlSyntax.read(text).fault ?? "", fault);
  });
