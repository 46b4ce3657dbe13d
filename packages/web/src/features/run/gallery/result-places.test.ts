import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResultCell, ResultColumn, ResultRow } from "@weft/shared/records/result-record.ts";
import {
  firstRows,
  itemPlace,
  moveFrom,
  parsePlace,
  placeText,
  placesOf,
  summarizeOutputs,
  type Move,
} from "./result-places.ts";

const COLUMNS: readonly ResultColumn[] = [
  { output: "masks", by: "sample", rows: 3 },
  { output: "report", by: "run", rows: 1 },
  { output: "volumes", by: "sample", rows: 2 },
  { output: "plots", by: "run", rows: 2 },
];
const ALL = placesOf(COLUMNS, 6);

test("placesOf separates results of the run from results of samples", () => {
  const [report, ofPlots] = [
    { output: "report", from: 0, count: 1 },
    { output: "plots", from: 1, count: 2 },
  ];
  const outputs = ["masks", "volumes"];
  assert.deepEqual(ALL, { items: [report, ofPlots], itemCount: 3, outputs, firstSample: 3, sampleCount: 3 });
  const plots = placesOf(COLUMNS, 6, "plots");
  assert.deepEqual([plots.itemCount, plots.sampleCount, itemPlace(plots, 1)], [2, 0, { output: "plots", row: 2 }]);
  const masks = placesOf(COLUMNS, 6, "masks");
  assert.deepEqual([masks.itemCount, masks.outputs, masks.firstSample], [0, ["masks"], 3]);
});

test("arrows move between samples and outputs, and stop at the ends", () => {
  const cases: readonly (readonly [string, Move, string])[] = [
    ["0.report", "right", "1.plots"],
    ["1.plots", "left", "0.report"],
    ["0.report", "up", "0.report"],
    ["2.plots", "down", "2.plots"],
    ["3.masks", "right", "3.volumes"],
    ["3.volumes", "right", "3.volumes"],
    ["3.masks", "down", "4.masks"],
    ["3.masks", "up", "3.masks"],
    ["5.volumes", "down", "5.volumes"],
  ];
  for (const [from, move, to] of cases) {
    const place = parsePlace(from, ALL) ?? assert.fail(from);
    assert.equal(placeText(moveFrom(ALL, place, move)), to, `${from} ${move}`);
  }
  const single = placesOf(COLUMNS, 6, "masks");
  assert.deepEqual(moveFrom(single, { row: 3, output: "masks" }, "right"), { row: 4, output: "masks" });
});

test("accepts any text in the URL", () => {
  const outside = ["2.masks", "6.masks", "3.none", "0.plots", "99999999999.masks"];
  for (const text of ["", "masks", "x.masks", "-1.masks", ...outside])
    assert.equal(parsePlace(text, ALL), undefined, text);
  assert.deepEqual(parsePlace("4.masks", ALL), { row: 4, output: "masks" });
});

const file = (basename: string, size = 100) => ({ class: "File", basename, size });
const column = (output: string, by: "run" | "sample", rows: number): ResultColumn => ({ output, by, rows });

function rowsOf(items: readonly (readonly [string, unknown])[], samples: readonly Record<string, unknown>[]) {
  const cell = (output: string, value: unknown, index?: number): ResultCell => {
    return { output, value, ...(index === undefined ? {} : { index }) };
  };
  return [
    ...items.map(([output, value]): ResultRow => ({ sample_id: null, index: null, cells: [cell(output, value)] })),
    ...samples.map((values, index): ResultRow => ({
      sample_id: `sub-${index + 1}`,
      index,
      cells: Object.entries(values).map(([output, value]) => cell(output, value, index)),
    })),
  ];
}

test("the overview shows a table, pictures in common formats and a report first, then values and files", () => {
  const columns = [
    column("masks", "sample", 2),
    column("statistics", "run", 1),
    column("thresholds", "sample", 2),
    column("report", "run", 1),
    column("slices", "sample", 2),
    column("other", "run", 1),
  ];
  const samples = [1, 2].map((n) => ({ masks: file(`${n}.nii`), thresholds: n / 3, slices: file(`${n}.png`) }));
  const rows = rowsOf(
    [
      ["statistics", file("statistics.csv")],
      ["report", file("report.html")],
      ["other", file("other.csv")],
    ],
    samples,
  );
  const found = summarizeOutputs(columns, rows.length, (number) => rows[number]);
  const lines = found.map(({ output, look, count, bytes }) => `${output} ${look} ${count} ${bytes}`);
  assert.deepEqual(lines, [
    "statistics table 1 100",
    "slices pictures 2 200",
    "report report 1 100",
    "thresholds values 2 undefined",
    "masks files 2 200",
    "other files 1 100",
  ]);
  const slices = found[1]?.first.map(({ name, place }) => `${name} ${place.row}`);
  assert.deepEqual(slices, ["sub-1 3", "sub-2 4"]);
});

test("a huge report or picture, and one without content, is a file", () => {
  const shown = (name: string, size: number) => {
    const rows = rowsOf([["only", file(name, size)]], []);
    return summarizeOutputs([column("only", "run", 1)], 1, (number) => rows[number])[0]?.look;
  };
  const files = [shown("a.html", 3 * 1024 ** 2), shown("a.png", 1024 ** 3), shown("a.csv", 0), shown("a.bam", 7)];
  assert.deepEqual([...files, shown("a.html", 9)], ["files", "files", "files", "files", "report"]);
});

test("missing results are named, and the size of the available ones is known", () => {
  const rows = rowsOf([], [{ masks: file("1.nii.txt") }, { masks: null }]);
  const why = { step: "mask", job_id: "mask.1", state: "EXECUTOR_ERROR" } as const;
  const last = rows[1]?.cells[0];
  const lacking = [
    rows[0],
    { sample_id: "sub-2", index: 1, cells: last === undefined ? [] : [{ ...last, missing: why }] },
  ];
  const [masks] = summarizeOutputs([column("masks", "sample", 2)], 2, (number) => lacking[number]);
  assert.deepEqual(masks?.missing, [{ ...why, sample_id: "sub-2", index: [1] }]);
  assert.deepEqual([masks?.first.length, masks?.bytes], [1, 100]);
});

test("the first rows of outputs are found without the others, for 10,000 files and as many samples", () => {
  const columns = [column("parts", "run", 10_000), column("none", "run", 0), column("slices", "sample", 10_000)];
  assert.deepEqual(firstRows(columns, 20_000), [0, 10_000]);
  const asked: number[] = [];
  const found = summarizeOutputs(columns, 20_000, (number) => {
    asked.push(number);
    return number < 50 ? rowsOf([["parts", file(`${number}.txt`)]], [])[0] : undefined;
  });
  const lines = found.map(({ output, count, bytes }) => `${output} ${count} ${bytes}`);
  assert.deepEqual(lines, ["parts 10000 undefined", "none 0 undefined", "slices 10000 undefined"]);
  assert.ok(asked.length < 60);
});
