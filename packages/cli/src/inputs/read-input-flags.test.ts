import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inputFlags } from "./input-flags.ts";
import { readInputFlags, type FileLookup } from "./read-input-flags.ts";
import { toolWith } from "./testing/tool-with.ts";

const FILES: FileLookup = {
  baseUri: "file:///here/",
  addressOf: (text) => `file:///here/${text}`,
  exists: (text) => text === "there.txt",
};

const tool = await toolWith(`
  text: string
  n: int
  x: double?
  fast: boolean
  e: {type: {type: enum, symbols: [a, b]}}
  f: File
  d: Directory?
  fs: File[]
  xs: int[]?
  flags: boolean[]?
  either: [int, string]
  place: [File, string]
  any: Any?
  min_size: int?
  one_or_more: [string, "string[]"]
  r: {type: {type: record, fields: {a: int, b: "string?", inner: {type: {type: record, fields: {c: boolean}}}}}}
  table: {type: {type: array, items: {type: array, items: int}}}
`);
const flags = inputFlags(tool.inputs);
const read = async (...words: string[]) => {
  const { values, words: others } = await readInputFlags(words, flags, FILES);
  return [JSON.parse(JSON.stringify(values)), ...others];
};
const file = (name: string, kind = "File") => ({ class: kind, location: `file:///here/${name}` });

describe("flags of inputs", () => {
  const cases: readonly [string, string[], object][] = [
    ["give texts unchanged", ["--text", "5 = five"], { text: "5 = five" }],
    ["take values after an equals sign", ["--text=a=b"], { text: "a=b" }],
    ["take values that look like flags", ["--text", "--n"], { text: "--n" }],
    ["give whole numbers", ["--n", "-5"], { n: -5 }],
    ["accept one dash", ["-n", "5"], { n: 5 }],
    ["give fractions", ["--x", "1e-3"], { x: 0.001 }],
    ["turn switches on", ["--fast"], { fast: true }],
    ["turn switches off", ["--no-fast"], { fast: false }],
    ["give switches a value", ["--fast=false"], { fast: false }],
    ["give symbols", ["--e", "b"], { e: "b" }],
    ["make paths absolute", ["--f", "a.txt", "--d", "dir"], { f: file("a.txt"), d: file("dir", "Directory") }],
    ["collect lists", ["--fs", "a", "--fs", "b"], { fs: [file("a"), file("b")] }],
    ["take lists as JSON", ["--xs", "[1, 2]"], { xs: [1, 2] }],
    ["add to lists", ["--xs", "[1, 2]", "--xs", "3"], { xs: [1, 2, 3] }],
    ["give lists of switches", ["--flags", "true", "--flags=false"], { flags: [true, false] }],
    ["prefer numbers", ["--either", "5"], { either: 5 }],
    ["fall back to text", ["--either", "five"], { either: "five" }],
    ["prefer files that exist", ["--place", "there.txt"], { place: file("there.txt") }],
    ["fall back to text without such a file", ["--place", "nowhere.txt"], { place: "nowhere.txt" }],
    ["take any JSON", ["--any", '{"a": [1]}'], { any: { a: [1] } }],
    ["take any text", ["--any", "text"], { any: "text" }],
    ["accept dashes for underscores", ["--min-size", "4"], { min_size: 4 }],
    ["fill records", ["--r.a", "1", "--r.inner.c"], { r: { a: 1, inner: { c: true } } }],
    ["take records as JSON", ["--r", '{"a": 1, "inner": {"c": true}}'], { r: { a: 1, inner: { c: true } } }],
    ["add to lists of lists", ["--table", "[1, 2]", "--table", "[3]"], { table: [[1, 2], [3]] }],
    ["keep the zeros of a text that could be a number", ["--either", "007"], { either: "007" }],
    ["keep the sign of a text that could be a number", ["--either=+5"], { either: "+5" }],
    ["keep the digits of a text that could be any value", ["--any", "1.10"], { any: "1.10" }],
    ["take numbers for any value", ["--any", "1.1"], { any: 1.1 }],
    ["make a list if one is allowed", ["--one-or-more", "a", "--one-or-more", "b"], { one_or_more: ["a", "b"] }],
  ];
  for (const [name, words, expected] of cases) it(name, async () => assert.deepEqual(await read(...words), [expected]));

  it("do not change other words", async () => {
    assert.deepEqual(await read("inputs.yml", "--n", "1", "-"), [{ n: 1 }, "inputs.yml", "-"]);
  });

  const wrong: readonly [string, string[], RegExp][] = [
    ["unknown flags", ["--nope"], /^unknown option --nope; inputs of the document: --text --n /],
    ["a value given twice", ["--text", "a", "--text", "b"], /^--text is given twice; its type is string$/],
    ["a switch given twice", ["--fast", "--no-fast"], /^--fast is given twice/],
    ["any value given twice", ["--any", "a", "--any", "b"], /^--any is given twice/],
    ["a file given twice", ["--f", "a", "--f=b"], /^--f is given twice/],
    ["a field given twice", ["--r", '{"a": 1, "inner": {"c": true}}', "--r.a", "2"], /^--r.a is given twice/],
    ["a record after its field", ["--r.a", "2", "--r", '{"a": 1, "inner": {"c": true}}'], /^--r is given twice/],
    ["missing values", ["--n"], /^--n requires a value of type int$/],
    ["wrong numbers", ["--n", "1.5"], /^--n: "1.5" is not of type int$/],
    ["numbers out of range", ["--n", "3000000000"], /is not of type int/],
    ["unknown symbols", ["--e", "c"], /^--e: "c" is not of type enum \[a, b\]$/],
    ["wrong items", ["--xs", "[1, true]"], /is not of type int\[\]/],
    ["incomplete records", ["--r", "{}"], /is not of type record/],
    ["files without a location", ["--any", '{"class": "File"}'], /needs `location`, `path` or `contents`/],
  ];
  for (const [name, words, message] of wrong)
    it(`refuse ${name}`, async () => assert.rejects(read(...words), ({ message: text }) => message.test(text)));

  it("resolve files in JSON from the same folder", async () => {
    assert.deepEqual(await read("--any", '{"class": "File", "path": "a b.txt"}'), [{ any: file("a%20b.txt") }]);
  });

  it("cannot reach prototypes", async () => {
    const odd = inputFlags((await toolWith("{constructor: string}")).inputs);
    const { values } = await readInputFlags(["--constructor", "x"], odd, FILES);
    assert.equal(values["constructor"], "x");
    await assert.rejects(readInputFlags(["--__proto__.x", "1"], odd, FILES), /unknown option/);
  });
});
