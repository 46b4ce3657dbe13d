import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { matchesType } from "../check/check-type.ts";
import { anyType, either, list, of, record, valueOf } from "../testing/arbitrary-type.ts";
import { assignability, type Assignability } from "./assignability.ts";
import type { CwlType } from "./cwl-type.ts";

const symbols = (...names: readonly string[]): CwlType => ({ kind: "enum", symbols: names });

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
  ["a list is not a single value", list(of("int")), of("int"), "no"],
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
  test(`compares types: ${name}`, () => assert.equal(assignability(source, sink), expected));
}

test("every type fits itself", () => {
  fc.assert(fc.property(anyType, (type) => assert.equal(assignability(type, type), "yes")));
});

test("a type that fits for certain has no value that does not", () => {
  const links = fc.tuple(anyType, anyType).filter(([source, sink]) => assignability(source, sink) === "yes");
  const values = links.chain(([source, sink]) => fc.tuple(fc.constant(sink), valueOf(source)));
  fc.assert(fc.property(values, ([sink, value]) => assert.ok(matchesType(sink, value), JSON.stringify(value))));
});

test("a type that never fits has no value that does, except for empty lists, null and whole numbers", () => {
  const links = fc.tuple(anyType, anyType).filter(([source, sink]) => assignability(source, sink) === "no");
  const values = links.chain(([source, sink]) => fc.tuple(fc.constant(sink), valueOf(source, { isAmbiguous: false })));
  fc.assert(fc.property(values, ([sink, value]) => assert.ok(!matchesType(sink, value), JSON.stringify(value))));
});
