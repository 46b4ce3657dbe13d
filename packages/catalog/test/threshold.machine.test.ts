import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { completed, runTool, temporaryFolder, type InputValue } from "./run-tool.ts";
import { noise, readVolume, voxelsOf, writeVolume, type Volume } from "./volume.ts";

interface Thresholded {
  readonly mask: readonly number[];
  readonly threshold: number;
}

function thresholded(volume: Volume, inputs: Readonly<Record<string, InputValue>>): Thresholded {
  const image = writeVolume(join(temporaryFolder(), "image.nii"), volume);
  const result = completed("threshold/2.0.0", { image, subject: "s", ...inputs });
  return {
    mask: Array.from(readVolume(result.output("mask")).data),
    threshold: Number(result.text("threshold_used")),
  };
}

/** Tries every value as a threshold, without a histogram, and returns the greatest variance between the classes. */
function bestVariance(data: readonly number[]): number {
  return Math.max(...[...new Set(data)].map((threshold) => varianceBetween(data, threshold)));
}

function varianceBetween(data: readonly number[], threshold: number): number {
  const [low, high] = [data.filter((value) => value < threshold), data.filter((value) => value >= threshold)];
  if (low.length === 0 || high.length === 0) return 0;
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return ((low.length * high.length) / data.length ** 2) * (mean(low) - mean(high)) ** 2;
}

// Whole numbers from 0 to 255, both ends occurring: every value has a bin of its own and brute force is exact.
const IMAGES = {
  "two overlapping classes": noise(1000, 5).map((one, index) => Math.round(one * 120 + (index % 3 === 0 ? 100 : 0))),
  "a small bright class": noise(1000, 9).map((one, index) => Math.round(one * 60 + (index % 20 === 0 ? 150 : 0))),
  "no classes at all": noise(1000, 13).map((one) => Math.round(one * 255)),
};

for (const [name, values] of Object.entries(IMAGES)) {
  test(`Otsu's threshold is the best of all: ${name}`, () => {
    const data = [0, 255, ...values.slice(2)];
    const { mask, threshold } = thresholded({ dims: [10, 10, 10], data }, { method: "otsu" });
    assert.ok(Math.abs(varianceBetween(data, threshold) / bestVariance(data) - 1) < 1e-12);
    assert.deepEqual(
      mask,
      data.map((value) => (value >= threshold ? 1 : 0)),
    );
  });
}

test("between two values Otsu takes the middle", () => {
  assert.equal(thresholded({ dims: [4, 1, 1], data: [10, 30, 10, 10] }, {}).threshold, 20);
});

test("the mean and a fixed threshold", () => {
  const volume: Volume = { dims: [4, 1, 1], data: [1, 2, 3, 6] };
  assert.deepEqual(thresholded(volume, { method: "mean" }), { mask: [0, 0, 1, 1], threshold: 3 });
  assert.deepEqual(thresholded(volume, { method: "fixed", threshold: 2 }), { mask: [0, 1, 1, 1], threshold: 2 });
  assert.deepEqual(thresholded(volume, { method: "fixed", threshold: -1.5 }), { mask: [1, 1, 1, 1], threshold: -1.5 });
  assert.deepEqual(thresholded(volume, { method: "fixed", threshold: 7, largest_component: true }), {
    mask: [0, 0, 0, 0],
    threshold: 7,
  });
});

test("the largest component stays; whether a corner joins depends on the connectivity", () => {
  // Four voxels that touch by faces, corners and corners; and three that touch by faces.
  const bright = new Set(["0,0,0", "1,0,0", "2,1,1", "3,2,2", "4,4,4", "4,4,3", "4,3,4"]);
  const data = voxelsOf([5, 5, 5], (i, j, k) => (bright.has(`${i},${j},${k}`) ? 9 : 0));
  const kept = (connectivity: string) =>
    thresholded(
      { dims: [5, 5, 5], data },
      { method: "fixed", threshold: 5, largest_component: true, connectivity },
    ).mask.reduce((sum, one) => sum + one, 0);
  assert.deepEqual([kept("6"), kept("26")], [3, 4]);
});

test("an image that cannot be thresholded is refused in one line", () => {
  const image = writeVolume(join(temporaryFolder(), "flat.nii"), { dims: [2, 1, 1], data: [5, 5] });
  const refused = (inputs: Readonly<Record<string, InputValue>>) =>
    runTool("threshold/2.0.0", { image, subject: "s", ...inputs });
  assert.match(refused({}).stderr, /^flat\.nii: every voxel is 5, the method "otsu" needs at least two values\n$/);
  assert.match(refused({ method: "fixed" }).stderr, /^the method "fixed" needs a threshold\n$/);
  assert.equal(refused({ method: "fixed" }).exitCode, 1);
});

test("version 1.0.0 takes the threshold given, else the mean", () => {
  const image = writeVolume(join(temporaryFolder(), "image.nii"), { dims: [4, 1, 1], data: [1, 2, 3, 6] });
  const mask = (inputs: Readonly<Record<string, InputValue>>) =>
    Array.from(readVolume(completed("threshold/1.0.0", { image, subject: "s", ...inputs }).output("mask")).data);
  assert.deepEqual(mask({}), [0, 0, 1, 1]);
  assert.deepEqual(mask({ threshold: 2 }), [0, 1, 1, 1]);
});
