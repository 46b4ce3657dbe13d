import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TableColumn, TableField, TableRow, TableValue } from "@weft/shared/records/table-record.ts";
import { fits, parseFilter, sortRows, valueText } from "./arrange-table.ts";
import { readChoices, usualFields, withChoice } from "./field-choice.ts";
import { pairRuns } from "./pair-runs.ts";

const column = (label: string, type: TableColumn["type"] = "number"): TableColumn => {
  return { id: `output.${label}`, source: "output", label, type };
};
const row = (sample_id: string | null, values: readonly TableValue[], run_id = "a"): TableRow => {
  return { run_id, sample_id, index: 0, values: [...values] };
};
const labelsOf = (table: { readonly columns: readonly TableColumn[] }) => table.columns.map(({ label }) => label);

describe("the filter of a table", () => {
  const columns = [column("volume"), column("site", "text"), column("left side")];
  const rows = [
    row("sub-01", [40, "north", 1]),
    row("sub-02", [50.5, "south", null]),
    row("sub-10", [null, "North", 3]),
  ];
  const shown = (text: string) =>
    rows.filter((one) => fits(one, parseFilter(text, columns))).map((one) => one.sample_id);
  const CASES: readonly (readonly [string, readonly string[]])[] = [
    ["", ["sub-01", "sub-02", "sub-10"]],
    ["volume > 40", ["sub-02"]],
    ["volume>=40 volume<50", ["sub-01"]],
    ["VOLUME != 40", ["sub-02", "sub-10"]],
    ["site = south", ["sub-02"]],
    ["north", ["sub-01", "sub-10"]],
    ['"left side" = 3', ["sub-10"]],
    ["sub-1", ["sub-10"]],
    ["volume > x", []],
    ["other > 3", []],
    ["volume >", []],
  ];
  for (const [text, expected] of CASES)
    it(`takes ${JSON.stringify(text)}`, () => assert.deepEqual(shown(text), expected));
});

describe("the order of a table", () => {
  const rows = [row("s10", [2]), row("s9", [null]), row("s1", [1])];
  const sorted = (at: number, isDescending: boolean) =>
    sortRows(rows, at, isDescending).map(({ sample_id }) => sample_id);
  it("is natural, with missing values last", () => {
    assert.deepEqual(sorted(-1, false), ["s1", "s9", "s10"]);
    assert.deepEqual(sorted(0, false), ["s1", "s10", "s9"]);
    assert.deepEqual(sorted(0, true), ["s10", "s1", "s9"]);
  });
});

it("numbers are short", () =>
  assert.equal([1, 0.1 + 0.2, 1e-9, 123456.789, null, true].map(valueText).join(", "), "1, 0.3, 1e-9, 123457, , true"));

describe("two runs in one table", () => {
  const table = {
    runs: [
      { run_id: "a", name: "first" },
      { run_id: "b", name: "second" },
    ],
    columns: [column("volume"), column("site", "text")],
    rows: [row("s1", [1, "x"]), row("s2", [5, "x"]), row("s1", [3, "x"], "b"), row("s3", [7, "x"], "b")],
    unread: [],
    unread_total: 0,
  };
  const paired = pairRuns(table);
  it("have a column each, and a difference", () =>
    assert.deepEqual(labelsOf(paired), ["volume A", "volume B", "volume B − A", "site A", "site B"]));
  it("have a row for each sample of any of them", () => {
    const lines = paired.rows.map(({ sample_id, values }) => [sample_id, ...values.map(String)].join(" "));
    assert.deepEqual(lines, ["s1 1 3 2 x x", "s2 5 null null x null", "s3 null 7 null null x"]);
  });
  it("have one column for a field of the dataset that no run contradicts", (t) => {
    t.mock.method(Iterator, "from", () => assert.fail("Firefox before 131 and Safari before 18.4 lack it"));
    const age: TableColumn = { ...column("age"), id: "dataset.age", source: "dataset" };
    const of = (second: number) => {
      const rows = [row("s1", [70]), row("s1", [second], "b"), row("s2", [null]), row("s2", [50], "b")];
      return pairRuns({ ...table, columns: [age], rows });
    };
    const same = of(70);
    assert.deepEqual([labelsOf(same), same.changed.size], [["age"], 0]);
    const ages = same.rows.flatMap(({ values }) => values);
    assert.deepEqual(ages, [70, 50]);
    assert.deepEqual(labelsOf(of(71)), ["age A", "age B", "age B − A"]);
  });
  it("mark the samples that differ", () => assert.deepEqual([...paired.changed], ["s1", "s2", "s3"]));
});

describe("the chosen fields", () => {
  it("are kept for each of the last networks", () => {
    let kept = readChoices(null);
    for (let at = 0; at < 60; at += 1) kept = withChoice(kept, `n${at}`, ["a"]);
    kept = withChoice(kept, "n59", ["b"]);
    assert.deepEqual([Object.keys(kept).length, kept["n59"], kept["n1"]], [50, ["b"], undefined]);
  });
  it("ignore state that this app did not write", () => {
    for (const kept of ["{", 5, null, { n: 5 }, { n: [1] }, [[1]]]) assert.deepEqual(readChoices(kept), {});
  });
  it("are first those that measure differences", () => {
    const field = (id: string, more: Partial<TableField>): TableField => ({
      ...{ id, label: id, source: "output", type: "number", port: "p", filled: 5, distinct: 5, example: 1 },
      ...more,
    });
    const fields = [
      field("input.fwhm", { source: "input", distinct: 1 }),
      field("input.age", { source: "input" }),
      field("output.m/size/0", {}),
      field("output.m/volume", {}),
      field("output.m/name", { type: "text" }),
      field("output.m/site", { type: "text", distinct: 2 }),
    ];
    assert.deepEqual(usualFields(fields), ["input.age", "output.m/size/0", "output.m/volume", "output.m/site"]);
    const [constant] = fields;
    assert.deepEqual(usualFields(constant === undefined ? [] : [constant]), ["input.fwhm"]);
  });
});
