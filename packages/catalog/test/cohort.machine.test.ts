import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { catalogFolder } from "./documents.ts";
import { completed, runTool, temporaryFolder } from "./run-tool.ts";
import { voxelsOf, writeVolume, type VolumeOptions } from "./volume.ts";

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

const gathered = (measures: string[]) => completed("gather-measures/1.0.0", { measures });
const linesOf = (measures: string[], output: string) => gathered(measures).text(output).split("\n");

test("the table has one row per subject, in order", () => {
  const [head, ...rows] = linesOf(shipped, "table");
  assert.match(head ?? "", /^subject,volume_mm3,volume_ml,components,/);
  const found = rows.map((row) => row.split(",")[0]);
  assert.deepEqual(found, ["sub-01", "sub-02", "sub-03", "sub-04", "sub-05", "sub-06", ""]);
  assert.equal(rows[1]?.split(",")[2], measuresAt(shipped[1] ?? "").volume_ml.toFixed(3));
});

test("statistics by other formulas: moments in one pass, order statistics by counting", () => {
  const row = linesOf(shipped, "statistics").find((line) => line.startsWith("volume_ml,")) ?? "";
  const found = row.split(",").slice(1).map(Number);
  const volumes = shipped.map((path) => measuresAt(path).volume_ml);
  const [sum, squares] = volumes.reduce<readonly [number, number]>(([s, q], one) => [s + one, q + one * one], [0, 0]);
  const ranked = (rank: number) => volumes.find((one) => volumes.filter((other) => other < one).length === rank) ?? NaN;
  const deviation = Math.sqrt((squares - (sum * sum) / 6) / 5);
  const expected = [6, sum / 6, deviation, ranked(0), (ranked(2) + ranked(3)) / 2, ranked(5)];
  for (const [index, number] of expected.entries())
    assert.ok(Math.abs((found[index] ?? NaN) - number) < 1e-6, `${row}, expected ${expected}`);
});

test("a missing measure is an empty cell and is ignored", () => {
  const measures = measuresOf([{}, { centroid_mm: null, mean_intensity: null }]);
  assert.match(linesOf(measures, "table")[2] ?? "", /^sub-02,[^,]+,[^,]+,2,[^,]+,,,,,/);
  assert.match(gathered(measures).text("statistics"), /^centroid_x_mm,1,[^,]+,,/m);
});

test("names are quoted, and no spreadsheet takes them for formulas", () => {
  const measures = measuresOf([{ subject: 'a,"b"' }, { subject: "=1+1" }, { subject: "-5" }]);
  const rows = linesOf(measures, "table").slice(1, 4);
  const shown = rows.map((row) => row.slice(0, row.search(/,\d/)));
  assert.deepEqual(shown, ['"a,""b"""', "'=1+1", "-5"]);
});

test("invalid measures and a repeated subject are refused in one line", () => {
  const bad = join(temporaryFolder(), "sub-07.json");
  writeFileSync(bad, '{"subject": "x"}');
  const refusal = (measures: string[]) => runTool("gather-measures/1.0.0", { measures }).stderr;
  assert.match(refusal([bad]), /^sub-07\.json: not the measures of a subject: .*\n$/);
  assert.match(refusal(measuresOf([{}, { subject: "sub-01" }])), /^subject "sub-01" has measures twice\n$/);
});

test("the report escapes every name and loads no external files", () => {
  const hostile = '<img src=x onerror="alert(1)">&\'';
  const [measures, title] = [measuresOf([{ subject: hostile }, {}]), "</title><script>alert(1)</script>"];
  const page = completed("cohort-report/1.0.0", { measures, title, fwhm_mm: 6, method: "otsu" }).text("report");
  assert.ok(!/<script|<img|<link|<iframe|href=|url\(|@import|\son\w+=(?!&quot;)/i.test(page));
  assert.ok(page.includes("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;"));
  assert.match(page, /smoothed by a Gaussian of 6 mm.*Otsu/s);
});

test("a report contains its pictures, and needs one for each subject", () => {
  const volume: VolumeOptions = { dims: [4, 4, 4], data: voxelsOf([4, 4, 4], (i) => i), voxelMm: [3, 3, 3] };
  const image = writeVolume(join(temporaryFolder(), "image.nii"), volume);
  const picture = completed("slice-montage/1.0.0", { image, mask: image, subject: "s" }).output("picture");
  const measures = measuresOf([{}]);
  const report = (...pictures: string[]) => runTool("cohort-report/1.0.0", { measures, pictures });
  assert.ok(report(picture).text("report").includes(readFileSync(picture).toString("base64")));
  assert.match(report(picture, picture).stderr, /^2 pictures for 1 subjects\n$/);
  assert.match(report(...measures).stderr, /^0\.json: not a PNG file\n$/);
});

test("slices show left on the left, whatever the storage order", () => {
  const data = voxelsOf([8, 8, 8], (i, j, k) => (i < 4 && j < 4 && k < 4 ? 100 : 0));
  // The first index runs from right to left: the bright corner is right, at the back, below.
  const sform = [-2, 0, 0, 7, 0, 2, 0, -7, 0, 0, 2, -7];
  const folder = temporaryFolder();
  const volume: VolumeOptions = { dims: [8, 8, 8], data, voxelMm: [2, 2, 2], sform };
  const image = writeVolume(join(folder, "image.nii"), volume);
  const mask = writeVolume(join(folder, "mask.nii"), { ...volume, data: data.map((value) => value / 100) });
  const montage = completed("slice-montage/1.0.0", { image, mask, subject: "s", pixel_mm: 1 });
  const { width, height, at } = decodedPng(readFileSync(montage.output("picture")));
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
