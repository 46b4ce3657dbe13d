import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TableValue } from "@weft/shared/records/table-record.ts";
import { flattenDelimited, readCell, rowsBySample } from "./flatten-delimited.ts";
import { flattenValue, pathKey } from "./flatten-value.ts";

type Flat = Readonly<Record<string, TableValue>>;
const keyed = (flat: Flat) => new Map(Object.entries(flat).map(([path, value]) => [pathKey(path.split("/")), value]));

describe("values of JSON", () => {
  it("are numbers, booleans and short strings, by their keys", () => {
    const value = { volume: 4.5, ok: true, name: "a", none: null, size: [1, 2], inner: { deep: { x: 1 } } };
    const expected = { volume: 4.5, ok: true, name: "a", none: null, "size/0": 1, "size/1": 2, "inner/deep/x": 1 };
    assert.deepEqual(flattenValue(value), keyed(expected));
  });

  it("leave out long lists, depths and odd keys, and stay bounded", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`) as unknown;
    assert.equal(flattenValue(deep).size, 0);
    assert.equal(flattenValue({ list: Array.from({ length: 17 }, (_, n) => n) }).size, 0);
    assert.equal(flattenValue({ "": 1, ["x".repeat(101)]: 1 }).size, 0);
    assert.equal(flattenValue(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]))).size, 200);
    assert.equal(String(flattenValue("y".repeat(5000)).get("[]")).length, 200);
  });

  it("keep names of JavaScript apart", () => {
    const flat = flattenValue(JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}'));
    assert.deepEqual([...flat.values()], [1, 2, 3]);
  });
});

describe("cells", () => {
  const CASES: readonly (readonly [string, TableValue])[] = [
    ["4.5", 4.5],
    [" -1e3 ", -1000],
    [".5", 0.5],
    ["n/a", null],
    ["NaN", null],
    ["", null],
    ["True", true],
    ["1e999", "1e999"],
    ["0x10", "0x10"],
    ["12 mm", "12 mm"],
  ];
  for (const [text, value] of CASES)
    it(`reads ${JSON.stringify(text)} as ${String(value)}`, () => assert.equal(readCell(text), value));
});

describe("tables about one sample", () => {
  it("may have a header and one row", () =>
    assert.deepEqual(flattenDelimited("\uFEFFa,b\r\n1,x\r\n", "csv", "s1"), keyed({ a: 1, b: "x" })));
  it("may have a row that names the sample", () =>
    assert.deepEqual(flattenDelimited("id\tv\ns1\t1\ns2\t2\n", "tsv", "s2"), keyed({ id: "s2", v: 2 })));
  it("may list names and values", () =>
    assert.deepEqual(
      flattenDelimited("volume,4\narea,2\ncount,3\n", "csv", "s1"),
      keyed({ volume: 4, area: 2, count: 3 }),
    ));
  it("otherwise have no values", () => {
    assert.equal(flattenDelimited("a,b,c\n1,2,3\n4,5,6\n", "csv", "s1"), undefined);
    assert.equal(flattenDelimited("", "csv", "s1")?.size, 0);
  });
});

describe("a table about all samples", () => {
  const samples = new Set(["s1", "s2"]);
  it("has a row for each", () => {
    const rows = rowsBySample("n,subject,v\n1,s1,5\n2,s2,6\n", "csv", samples);
    assert.deepEqual(rows?.get("s2"), keyed({ n: 2, subject: "s2", v: 6 }));
  });
  it("is not one that names a sample twice, or few of them", () => {
    assert.equal(rowsBySample("subject,v\ns1,5\ns1,6\n", "csv", samples), undefined);
    assert.equal(rowsBySample("subject,v\ns1,5\nx,6\ny,7\n", "csv", samples), undefined);
  });
});
