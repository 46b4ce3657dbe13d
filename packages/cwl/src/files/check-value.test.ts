import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadTool } from "../command/testing/load-process.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { checkInputs } from "./check-value.ts";

const tool = await loadTool(`
baseCommand: x
outputs: []
inputs:
  threads: int
  big: long?
  ratio: double?
  flag: boolean?
  reads: {type: File, label: Reads}
  mode: {type: {type: enum, symbols: [fast, slow]}, default: fast}
  images: {type: "File[]?"}
  scale: [float, "null", "string[]"]
  any: Any
  pair:
    type:
      - "null"
      - {type: record, name: p, fields: {r1: File, r2: File?, n: int}}
  either:
    type:
      - "null"
      - {type: record, name: one, fields: {kind: string, a: int}}
      - {type: record, name: two, fields: {kind: string, b: int, c: int}}
`);

const GOOD: CwlObject = { threads: 1, reads: { class: "File", location: "file:///r" }, any: 0 };

/** Changes to a good input object, and the problems: `severity pointer code message (hint)`. */
const CASES: Readonly<Record<string, readonly [CwlObject, ...(readonly string[])]>> = {
  "good values": [{}],
  "null for an input with a default": [{ mode: null }],
  "a float takes an integer": [{ ratio: 3, scale: 2 }],
  "a text for a number": [
    { threads: "4" },
    'error /threads wrong-type expected int, found the text "4" (write 4 without quotes)',
  ],
  "a fraction for an integer": [{ threads: 1.5 }, "error /threads wrong-type expected int, found the number 1.5"],
  "an int out of range": [
    { threads: 2 ** 31 },
    "error /threads out-of-range 2147483648 is not an int; the range is -2147483648 to 2147483647",
  ],
  "a long that was not written as a whole number": [
    { big: 2 ** 53 },
    "error /big out-of-range the number may have lost digits: JavaScript calculates exactly only up to 9007199254740991 (write all digits of the number, without an exponent; expressions can only pass such a number on: `$(inputs.name)`)",
  ],
  "a number beyond 64 bits for a long": [
    { big: 2 ** 63 },
    "error /big out-of-range the number is not a long; the range is -9223372036854775808 to 9223372036854775807 (declare the input as a `string` if all digits matter, or as a `double`)",
  ],
  "a long for an int": [
    { threads: 2n ** 62n },
    "error /threads out-of-range 4611686018427387904 is not an int; the range is -2147483648 to 2147483647",
  ],
  "a long for a boolean": [
    { flag: 2n ** 62n },
    "error /flag wrong-type expected boolean?, found the number 4611686018427387904",
  ],
  "a text for a boolean": [
    { flag: "true" },
    'error /flag wrong-type expected boolean?, found the text "true" (write `true`, without quotation marks)',
  ],
  "a boolean of YAML 1.1": [
    { flag: "No" },
    'error /flag wrong-type expected boolean?, found the text "No" (write `false`, without quotation marks)',
  ],
  "a File without a class": [
    { reads: { path: "a.fq" } },
    "error /reads wrong-type expected File, found an object (its `class` must be `File`)",
  ],
  "a missing input": [{ reads: null }, "error /reads missing the input `reads` (Reads) of type File is required"],
  "null does not match Any": [{ any: null }, "error /any missing the input `any` of type Any is required"],
  "a path for a File": [
    { reads: "a.fq" },
    'error /reads wrong-type expected File, found the text "a.fq" (write {"class": "File", "location": "a.fq"})',
  ],
  "a Directory for a File": [
    { reads: { class: "Directory", location: "file:///d" } },
    "error /reads wrong-type expected File, found a Directory",
  ],
  "a File without an address": [
    { reads: { class: "File" } },
    "error /reads invalid-file this File has neither `location` nor `path` nor `contents`",
  ],
  "a File literal": [{ reads: { class: "File", basename: "a", contents: "" } }],
  "an unknown symbol": [
    { mode: "Fast" },
    "error /mode unknown-symbol `Fast` is none of `fast`, `slow` (did you mean `fast`?)",
  ],
  "the fourth of a list": [
    { images: [1, 2, 3, 4].map((n) => ({ class: "File", ...(n === 4 ? {} : { location: `file:///${n}` }) })) },
    "error /images/3 invalid-file this File has neither `location` nor `path` nor `contents`",
  ],
  "one File for a list": [
    { images: { class: "File", location: "file:///1" } },
    "error /images wrong-type expected File[]?, found a File (put the value into a list)",
  ],
  "a union by its nearest option": [
    { scale: ["a", 2] },
    "error /scale/1 wrong-type expected string, found the number 2 (write it in quotes, with all its characters)",
  ],
  "a value unlike every option": [
    { scale: true },
    "error /scale wrong-type expected float | null | string[], found the boolean true",
  ],
  "a record's missing field": [
    { pair: { r1: { class: "File", location: "file:///1" } } },
    "error /pair/n missing field `n` of type int is required",
  ],
  "a record's unknown field": [
    { pair: { r1: { class: "File", location: "file:///1" }, n: 1, m: 2 } },
    "warning /pair/m unknown-field the record has no field `m`",
  ],
  "the record that fits best": [
    { either: { kind: "x", b: 1 } },
    "error /either/c missing field `c` of type int is required",
  ],
  "an unknown input": [
    { thread: 2 },
    "warning /thread unknown-input there is no input `thread` (did you mean `threads`?)",
  ],
  "a property name of Object": [
    { constructor: 2 },
    "warning /constructor unknown-input there is no input `constructor`",
  ],
};

describe("checkInputs", () => {
  for (const [name, [change, ...expected]] of Object.entries(CASES))
    test(name, () => {
      const problems = checkInputs(tool, { ...GOOD, ...change });
      const actual = problems.map(
        ({ severity, pointer, code, message, hint }) =>
          `${severity} ${pointer} ${code} ${message}${hint === undefined ? "" : ` (${hint})`}`,
      );
      assert.deepEqual(actual, expected);
    });
});

describe("an input object with more problems than anyone reads", async () => {
  const process = await loadTool(`
baseCommand: x
outputs: []
inputs:
  ints: int[]?
  more: int[]?
  nested: {type: ["null", {type: array, items: {type: array, items: int}}]}
  either: ["null", "File", "int[]"]
  file: File?
  records: {type: ["null", {type: array, items: {type: record, name: r, fields: {n: int}}}]}
`);
  const wrong = (length: number) => Array.from({ length }, () => "x");
  const unknown = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`u${index}`, 0]));
  const secondaryFiles = Array.from({ length: 50_000 }, () => ({ class: "File" as const }));
  const MANY: readonly (readonly [string, CwlObject])[] = [
    ["in a list", { ints: wrong(50_000) }],
    ["in two lists", { ints: wrong(800), more: wrong(800) }],
    ["in lists of a list", { nested: Array.from({ length: 300 }, () => wrong(300)) }],
    ["in a list of a union", { either: wrong(50_000) }],
    ["in secondary files", { file: { class: "File", location: "file:///a", secondaryFiles } }],
    ["of unknown inputs", unknown],
  ];
  for (const [name, values] of MANY)
    test(`has 1,000 of them ${name}`, () => assert.equal(checkInputs(process, values).length, 1000));

  test("is still wrong when warnings come first", () => {
    const problems = checkInputs(process, { records: [{ n: 1, ...unknown }, { n: "x" }] });
    assert.equal(problems.length, 1000);
    const pointers = problems.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer);
    assert.deepEqual(pointers, ["/records/1/n"]);
  });
});
