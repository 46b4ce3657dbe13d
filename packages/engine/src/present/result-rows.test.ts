import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { createLinks } from "@weft/shared/links.ts";
import type { ResultRow } from "@weft/shared/records/result-record.ts";
import { layOutResults, pageOfResults, type ResultSource } from "./result-rows.ts";

const links = createLinks("http://weft.test");
const file = (basename: string): CwlValue => ({ class: "File", basename });
const names = (...ids: readonly string[]) => new Map(ids.map((id, place) => [place, id]));

function page(source: Partial<ResultSource>, { from = 0, size = 100, text = "" } = {}) {
  const layout = layOutResults({ outputs: {}, declared: [], missing: [], ...source });
  return pageOfResults(layout, { from, size, text }, links);
}

/** `sample index: output=value …` */
function rowText({ sample_id: sample, index, cells }: ResultRow): string {
  const shown = (value: unknown): string =>
    typeof value === "object" && value !== null && "basename" in value ? String(value.basename) : JSON.stringify(value);
  return `${sample ?? "-"} ${index ?? "-"}: ${cells.map((cell) => `${cell.output}${cell.index === undefined || cell.index === index ? "" : `[${cell.index}]`}=${cell.missing?.state ?? shown(cell.value)}`).join(" ")}`;
}

test("outputs of the run come first, a row per file; then each sample with all its values", () => {
  const outputs: CwlObject = {
    masks: [file("a.nii"), file("b.nii")],
    report: file("r.html"),
    plots: [file("1.png"), file("2.png")],
    volumes: [7, 8],
    extra: [1, 2],
  };
  const declared = [
    { id: "masks", samples: names("sub-01", "sub-02") },
    { id: "report", label: "Report" },
    { id: "plots" },
    { id: "volumes", samples: names("sub-02", "sub-03") },
  ];
  const { columns, rows, total } = page({ outputs, declared });
  assert.deepEqual(
    columns.map(({ output, by, rows: count, label }) => [output, by, count, label]),
    [
      ["masks", "sample", 2, undefined],
      ["report", "run", 1, "Report"],
      ["plots", "run", 2, undefined],
      ["volumes", "sample", 2, undefined],
      ["extra", "run", 1, undefined],
    ],
  );
  assert.deepEqual(rows.map(rowText), [
    "- -: report=r.html",
    "- 0: plots=1.png",
    "- 1: plots=2.png",
    "- -: extra=[1,2]",
    "sub-01 0: masks=a.nii",
    "sub-02 1: masks=b.nii volumes[0]=7",
    "sub-03 1: volumes=8",
  ]);
  assert.equal(total, 7);
});

test("a page has the requested rows; a filter matches samples, numbers and file names", () => {
  const outputs: CwlObject = {
    masks: Array.from({ length: 1000 }, (_, n) => file(`m${n}.nii`)),
    bare: [file("x"), file("y")],
  };
  const samples = names(...Array.from({ length: 1000 }, (_, n) => `sub-${n}`));
  const declared = [
    { id: "masks", samples },
    { id: "bare", samples: new Map() },
  ];
  const second = page({ outputs, declared }, { from: 998, size: 3 });
  assert.deepEqual(second.rows.map(rowText), [
    "sub-998 998: masks=m998.nii",
    "sub-999 999: masks=m999.nii",
    "- 0: bare=x",
  ]);
  assert.equal(second.total, 1002);
  const text = (wanted: string): readonly string[] => page({ outputs, declared }, { text: wanted }).rows.map(rowText);
  assert.deepEqual(text("SUB-77").length, 11);
  assert.deepEqual(text("m998"), ["sub-998 998: masks=m998.nii"]);
  assert.deepEqual(text("#2"), ["- 1: bare=y"]);
  assert.deepEqual(page({ outputs, declared }, { from: 5000 }).rows, []);
  assert.deepEqual(page({ outputs, declared }, { text: "none such" }).total, 0);
});

test("a sample that occurs twice in a list has two rows", () => {
  const { rows } = page({ outputs: { o: [1, 2] }, declared: [{ id: "o", samples: names("a", "a") }] });
  assert.deepEqual(rows.map(rowText), ["a 0: o=1", "a 1: o=2"]);
});

test("an element whose job never existed belongs to the sample of the same element of an earlier list", () => {
  const declared = [
    { id: "masks", samples: names("a", "b", "c") },
    {
      id: "volumes",
      samples: new Map([
        [0, "a"],
        [2, "c"],
      ]),
    },
    { id: "other", samples: new Map() },
  ];
  const outputs = { masks: [1, null, 3], volumes: [4, null, 6], other: [null] };
  assert.deepEqual(page({ outputs, declared }).rows.map(rowText), [
    "a 0: masks=1 volumes=4",
    "b 1: masks=null volumes=null",
    "c 2: masks=3 volumes=6",
    "- 0: other=null",
  ]);
});

test("missing results of a partial run have a reason", () => {
  const why = { step: "s", job_id: null, state: "CANCELED" } as const;
  const { rows } = page({
    outputs: { o: [1, null], whole: null },
    declared: [{ id: "o", samples: names("a") }, { id: "whole" }],
    missing: [
      { output: "o", index: [1], sampleId: "b", why },
      { output: "whole", index: [], sampleId: null, why },
    ],
  });
  assert.deepEqual(rows.map(rowText), ["- -: whole=CANCELED", "a 0: o=1", "b 1: o=CANCELED"]);
});

test("a cell stays small for any value", () => {
  const folder: CwlValue = {
    class: "Directory",
    basename: "d",
    listing: Array.from({ length: 1e5 }, (_, n) => file(`${n}`)),
  };
  let deep: CwlValue = 0;
  for (let n = 0; n < 150; n++) deep = Array.from({ length: 2 }, () => deep);
  const location = `weft-data://runs/00000000-0000-4000-8000-000000000000/outputs/${"x".repeat(4090)}`;
  const outputs: CwlObject = { folder, numbers: Array.from({ length: 1e5 }, (_, n) => n), text: "t".repeat(1e6), deep };
  const { rows } = page({ outputs: { ...outputs, long: { class: "File", location, contents: "c".repeat(1e5) } } });
  assert.deepEqual(
    rows.map(({ cells }) => cells[0]?.cut),
    [true, true, true, true, true],
  );
  assert.ok(JSON.stringify(rows).length < 60_000, String(JSON.stringify(rows).length));
  assert.match(JSON.stringify(rows.at(-1)), /x{4090}/);
});
