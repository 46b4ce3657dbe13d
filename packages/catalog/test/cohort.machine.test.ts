import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { catalogFolder } from "./documents.ts";
import { runTool, temporaryFolder } from "./run-tool.ts";
import { voxelsOf, writeVolume } from "./volume.ts";

interface Measures {
  readonly subject: string;
  readonly volume_ml: number;
  readonly centroid_mm: readonly number[] | null;
}

const shipped = [1, 2, 3, 4, 5, 6].map((number) => join(catalogFolder, `data/measures/sub-0${number}_measures.json`));

function measuresAt(path: string): Measures {
  return JSON.parse(readFileSync(path, "utf8")) as Measures;
}

/** Copies of the shipped measures under other names. */
function measuresOf(changes: readonly object[]): string[] {
  const folder = temporaryFolder();
  return changes.map((change, index) => {
    const path = join(folder, `${index}.json`);
    writeFileSync(path, JSON.stringify({ ...measuresAt(shipped[index] ?? ""), ...change }));
    return path;
  });
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n");
}

test("the table has one row per subject, in order", () => {
  const result = runTool("gather-measures/1.0.0/gather-measures.cwl", { measures: shipped });
  const [head, ...rows] = linesOf(result.output("table"));
  assert.match(head ?? "", /^subject,volume_mm3,volume_ml,components,/);
  assert.deepEqual(
    rows.map((row) => row.split(",")[0]),
    ["sub-01", "sub-02", "sub-03", "sub-04", "sub-05", "sub-06", ""],
  );
  assert.equal(rows[1]?.split(",")[2], measuresAt(shipped[1] ?? "").volume_ml.toFixed(3));
});

test("statistics by other formulas: moments in one pass, order statistics by counting", () => {
  const result = runTool("gather-measures/1.0.0/gather-measures.cwl", { measures: shipped });
  const row =
    linesOf(result.output("statistics"))
      .find((line) => line.startsWith("volume_ml,"))
      ?.split(",")
      .slice(1)
      .map(Number) ?? [];
  const volumes = shipped.map((path) => measuresAt(path).volume_ml);
  const [sum, squares] = volumes.reduce<readonly [number, number]>(([s, q], one) => [s + one, q + one * one], [0, 0]);
  const ranked = (rank: number) => volumes.find((one) => volumes.filter((other) => other < one).length === rank) ?? NaN;
  const expected = [
    6,
    sum / 6,
    Math.sqrt((squares - (sum * sum) / 6) / 5),
    ranked(0),
    (ranked(2) + ranked(3)) / 2,
    ranked(5),
  ];
  expected.forEach((number, index) =>
    assert.ok(Math.abs((row[index] ?? NaN) - number) < 1e-6, `${row}, expected ${expected}`),
  );
});

test("a missing measure is an empty cell and is ignored", () => {
  const result = runTool("gather-measures/1.0.0/gather-measures.cwl", {
    measures: measuresOf([{}, { centroid_mm: null, mean_intensity: null }]),
  });
  assert.match(linesOf(result.output("table"))[2] ?? "", /^sub-02,[^,]+,[^,]+,2,[^,]+,,,,,/);
  assert.match(readFileSync(result.output("statistics"), "utf8"), /^centroid_x_mm,1,[^,]+,,/m);
});

test("names are quoted, and no spreadsheet takes them for formulas", () => {
  const result = runTool("gather-measures/1.0.0/gather-measures.cwl", {
    measures: measuresOf([{ subject: 'a,"b"' }, { subject: "=1+1" }, { subject: "-5" }]),
  });
  const rows = linesOf(result.output("table")).slice(1, 4);
  assert.deepEqual(
    rows.map((row) => row.slice(0, row.search(/,\d/))),
    ['"a,""b"""', "'=1+1", "-5"],
  );
});

test("invalid measures and a repeated subject are refused in one line", () => {
  const bad = join(temporaryFolder(), "sub-07.json");
  writeFileSync(bad, '{"subject": "x"}');
  const refusal = (measures: string[]) => runTool("gather-measures/1.0.0/gather-measures.cwl", { measures }).stderr;
  assert.match(refusal([bad]), /^sub-07\.json: not the measures of a subject: .*\n$/);
  assert.match(refusal(measuresOf([{}, { subject: "sub-01" }])), /^subject "sub-01" has measures twice\n$/);
});

test("the report escapes every name and loads no external files", () => {
  const hostile = '<img src=x onerror="alert(1)">&\'';
  const result = runTool("cohort-report/1.0.0/cohort-report.cwl", {
    measures: measuresOf([{ subject: hostile }, {}]),
    title: "</title><script>alert(1)</script>",
    fwhm_mm: 6,
    method: "otsu",
  });
  assert.equal(result.exitCode, 0, result.stderr);
  const page = readFileSync(result.output("report"), "utf8");
  assert.ok(!/<script|<img|<link|<iframe|href=|url\(|@import|\son\w+=(?!&quot;)/i.test(page));
  assert.ok(page.includes("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;"));
  assert.match(page, /smoothed by a Gaussian of 6 mm.*Otsu/s);
});

test("a report contains its pictures, and needs one for each subject", () => {
  const volume = {
    dims: [4, 4, 4] as [number, number, number],
    data: voxelsOf([4, 4, 4], (i) => i),
    voxelMm: [3, 3, 3] as [number, number, number],
  };
  const image = writeVolume(join(temporaryFolder(), "image.nii"), volume);
  const picture = runTool("slice-montage/1.0.0/slice-montage.cwl", { image, mask: image, subject: "s" }).output(
    "picture",
  );
  const measures = measuresOf([{}]);
  const page = readFileSync(
    runTool("cohort-report/1.0.0/cohort-report.cwl", { measures, pictures: [picture] }).output("report"),
    "utf8",
  );
  assert.ok(page.includes(readFileSync(picture).toString("base64")));
  assert.match(
    runTool("cohort-report/1.0.0/cohort-report.cwl", { measures, pictures: [picture, picture] }).stderr,
    /^2 pictures for 1 subjects\n$/,
  );
  assert.match(
    runTool("cohort-report/1.0.0/cohort-report.cwl", { measures, pictures: measures }).stderr,
    /^0\.json: not a PNG file\n$/,
  );
});

test("slices show left on the left, whatever the storage order", () => {
  const data = voxelsOf([8, 8, 8], (i, j, k) => (i < 4 && j < 4 && k < 4 ? 100 : 0));
  // The first index runs from right to left: the bright corner is right, at the back, below.
  const sform = [-2, 0, 0, 7, 0, 2, 0, -7, 0, 0, 2, -7];
  const folder = temporaryFolder();
  const image = writeVolume(join(folder, "image.nii"), { dims: [8, 8, 8], data, voxelMm: [2, 2, 2], sform });
  const mask = writeVolume(join(folder, "mask.nii"), {
    dims: [8, 8, 8],
    data: data.map((value) => value / 100),
    voxelMm: [2, 2, 2],
    sform,
  });
  const { width, height, at } = decodedPng(
    readFileSync(
      runTool("slice-montage/1.0.0/slice-montage.cwl", { image, mask, subject: "s", pixel_mm: 1 }).output("picture"),
    ),
  );
  assert.deepEqual([width, height], [3 * 16 + 2 * 4, 16]);
  const bright = (panel: number) =>
    [
      [3, 3],
      [12, 3],
      [3, 12],
      [12, 12],
    ].map(([x, y]) => at(panel * 20 + (x ?? 0), y ?? 0) > 200);
  assert.deepEqual(bright(0), [false, false, false, true], "axial: right and back");
  assert.deepEqual(bright(1), [false, false, false, true], "coronal: right and below");
  assert.deepEqual(bright(2), [false, false, true, false], "sagittal: back and below");
});

/** Reads a PNG of palette indices, checking that node:zlib accepts its data. */
function decodedPng(bytes: Buffer): { width: number; height: number; at: (column: number, row: number) => number } {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    chunks.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const [header, pixels] = [chunks.get("IHDR") ?? Buffer.alloc(0), inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0))];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.equal(pixels.length, height * (width + 1));
  return { width, height, at: (column, row) => pixels[row * (width + 1) + 1 + column] ?? NaN };
}
