import assert from "node:assert/strict";
import { test } from "node:test";
import { assignability, type Assignability } from "./assignability.ts";
import type { CwlType, PrimitiveKind } from "./cwl-type.ts";

const of = (kind: PrimitiveKind): CwlType => ({ kind });
const list = (items: CwlType): CwlType => ({ kind: "array", items });
const either = (...options: readonly CwlType[]): CwlType => ({ kind: "union", options });
const symbols = (...names: readonly string[]): CwlType => ({ kind: "enum", symbols: names });
const record = (fields: { readonly [name: string]: CwlType }): CwlType => ({
  kind: "record",
  fields: Object.entries(fields).map(([name, type]) => ({
    name,
    type,
    secondaryFiles: [],
    streamable: false,
    loadContents: false,
  })),
});

const CASES: readonly (readonly [string, CwlType, CwlType, Assignability])[] = [
  ["the same", of("File"), of("File"), "yes"],
  ["different", of("File"), of("Directory"), "no"],
  ["Any as source", of("Any"), of("File"), "yes"],
  ["Any as sink", list(of("int")), of("Any"), "yes"],
  ["into an option", of("File"), either(of("null"), of("File")), "yes"],
  ["out of an option", either(of("null"), of("File")), of("File"), "maybe"],
  ["only null fits", either(of("null"), of("File")), either(of("null"), of("int")), "no"],
  ["some fit", either(of("int"), of("string")), of("string"), "maybe"],
  ["int widens to double", of("int"), of("double"), "yes"],
  ["long may fit int", of("long"), of("int"), "maybe"],
  ["double never int", of("double"), of("int"), "no"],
  ["lists by their items", list(of("int")), list(of("long")), "yes"],
  ["a list is no single one", list(of("int")), of("int"), "no"],
  ["an enum is text", symbols("a"), of("string"), "yes"],
  ["text may be a symbol", of("string"), symbols("a"), "maybe"],
  ["fewer symbols", symbols("a"), symbols("a", "b"), "yes"],
  ["more symbols", symbols("a", "b"), symbols("a"), "maybe"],
  ["other symbols", symbols("a"), symbols("b"), "no"],
  ["a record with more", record({ a: of("int"), b: of("int") }), record({ a: of("int") }), "yes"],
  ["a record with less", record({ a: of("int") }), record({ a: of("int"), b: of("int") }), "no"],
  ["a record without the optional", record({}), record({ b: either(of("null"), of("int")) }), "yes"],
];

for (const [name, source, sink, expected] of CASES) {
  test(`assignability: ${name}`, () => assert.equal(assignability(source, sink), expected));
}
