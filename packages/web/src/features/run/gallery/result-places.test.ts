import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResultColumn } from "@weft/shared/records/result-record.ts";
import { itemPlace, moveFrom, parsePlace, placesOf, placeText, type Move } from "./result-places.ts";

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
