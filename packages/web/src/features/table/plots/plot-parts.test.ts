import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TableColumn, TableValue } from "@weft/shared/records/table-record.ts";
import { groupColumns, measuresOf, plotOf } from "./plot-points.ts";
import { binNumbers, isOutlier, summarize } from "./statistics.ts";

describe("statistics", () => {
  it("have quartiles as R and NumPy compute them", () => {
    const summary = summarize([7, 15, 36, 39, 40, 41]);
    assert.deepEqual([summary?.q1, summary?.median, summary?.q3], [20.25, 37.5, 39.75]);
    assert.equal(summarize([2, 4])?.sd, Math.SQRT2);
    assert.deepEqual([summarize([])?.count, summarize([5])?.sd], [undefined, 0]);
  });
  it("treat values far beyond the quartiles as outliers", () => {
    const summary = summarize([1, 2, 3, 4, 5, 100]);
    assert.ok(summary !== undefined && isOutlier(100, summary) && !isOutlier(5, summary));
    const equal = summarize([3, 3, 3, 3]);
    assert.ok(equal !== undefined && !isOutlier(3, equal));
  });
});

describe("bins", () => {
  const LISTS: readonly (readonly number[])[] = [
    [],
    [5],
    [0, 0, 0],
    [1, 2, 3, 4, 1000],
    [-1e9, 1e9],
    [0.001, 0.002, 0.0035],
    Array.from({ length: 5000 }, (_, at) => Math.sin(at) * 100),
  ];
  for (const numbers of LISTS)
    it(`contain each of ${numbers.length} numbers once: ${numbers.slice(0, 3).join(" ")}`, () => {
      const bins = binNumbers(numbers);
      assert.ok(bins.length <= 62, String(bins.length));
      const members = bins.flatMap((bin) => bin.members).toSorted((a, b) => a - b);
      assert.deepEqual(members, [...numbers.keys()]);
      for (const { from, to, members: own } of bins)
        for (const member of own) {
          const value = numbers[member] ?? Number.NaN;
          assert.ok(value >= from - 1e-9 && value <= to + 1e-9, `${value} in ${from} to ${to}`);
        }
    });
});

it("few numbers make more than two bins", () => {
  const bins = binNumbers([46109, 24904, 78468, 46930, 28500, 77874]);
  const lines = bins.map(({ from, members }) => `${from}: ${members.length}`);
  assert.deepEqual(lines, ["20000: 2", "40000: 2", "60000: 2"]);
});

const column = (label: string, type: TableColumn["type"]): TableColumn => {
  return { id: label, source: "output", label, type };
};
const row = (sample_id: string, values: TableValue[], run_id = "a") => ({ run_id, sample_id, index: 0, values });
const TABLE = {
  runs: [{ run_id: "a", name: "first" }],
  columns: [column("v", "number"), column("w", "number"), column("site", "text")],
  rows: [
    ...Array.from({ length: 9 }, (_, at) => row(`s${at}`, [at % 3, at, at % 2 === 0 ? "n" : "s"])),
    row("far", [90, 1, "n"]),
    row("none", [null, 1, "n"]),
  ],
  unread: [],
  unread_total: 0,
};
const ALL = new Set(TABLE.rows.map(({ sample_id }) => sample_id));

describe("plots", () => {
  it("show the distribution of a measure, and its outliers", () => {
    const plot = plotOf(TABLE, ALL, { x: "v", y: "", by: "" });
    assert.deepEqual([plot?.kind, plot?.points.length, plot?.missing], ["histogram", 10, 1]);
    const outliers = plot?.points.flatMap(({ sample, isOutlier: is }) => (is ? [sample] : []));
    assert.deepEqual(outliers, ["far"]);
  });
  it("show groups next to each other", () => {
    const plot = plotOf(TABLE, ALL, { x: "v", y: "", by: "site" });
    const groups = plot?.groups.map(({ name, summary }) => `${name} ${summary.count}`);
    assert.deepEqual([plot?.kind, groups], ["strip", ["n 6", "s 4"]]);
    assert.ok(plot?.points.every(({ x, group }) => Math.abs(x - group) <= 0.25));
  });
  it("show one measure against another, for the requested samples", () => {
    const plot = plotOf(TABLE, new Set(["s1", "s2"]), { x: "v", y: "w", by: "" });
    const points = plot?.points.map(({ sample, x, y }) => `${sample} ${x} ${y}`);
    assert.deepEqual(points, ["s1 1 1", "s2 2 2"]);
  });
  it("need a measure of the table", () => assert.equal(plotOf(TABLE, ALL, { x: "none", y: "", by: "" }), undefined));
  it("group by columns with few values, and join small groups", () => {
    const idsOf = (found: readonly TableColumn[]) => found.map(({ id }) => id);
    assert.deepEqual(idsOf(groupColumns(TABLE)), ["v", "w", "site"]);
    assert.deepEqual(idsOf(measuresOf(TABLE)), ["v", "w"]);
    const plot = plotOf(TABLE, ALL, { x: "v", y: "", by: "w" });
    assert.deepEqual([plot?.groups.length, plot?.groups.at(-1)?.name], [8, "others"]);
  });
});
