import assert from "node:assert/strict";
import { test } from "node:test";
import { colorOf, createOverlay, linkPlaces, overlaySlice } from "./overlay-slice.ts";
import { scaled, volumeOf } from "./testing/read-volume.ts";

const blank = (count: number): readonly number[] => Array.from({ length: count }, () => 0);

test("positions are linked by the point of the body, regardless of voxel sizes", async () => {
  const fine = await volumeOf({ size: [8, 8, 8], sform: scaled(1), values: blank(512) });
  const coarse = await volumeOf({ size: [4, 4, 4], sform: scaled(2), values: blank(64) });
  assert.deepEqual(linkPlaces(fine, coarse)?.([6, 4, 2]), [3, 2, 1]);
  assert.deepEqual(linkPlaces(coarse, fine)?.([3, 2, 1]), [6, 4, 2]);
  // i runs to the left, so that the file is the other way round; the point is the same.
  const flipped = await volumeOf({ size: [8, 8, 8], sform: scaled(1, [7, 0, 0], -1), values: blank(512) });
  assert.deepEqual(linkPlaces(fine, flipped)?.([6, 4, 2]), [6, 4, 2]);
  const away = await volumeOf({ size: [4, 4, 4], sform: scaled(1, [100, 0, 0]), values: blank(64) });
  assert.equal(linkPlaces(fine, away)?.([1, 1, 1]), undefined);
  // Axes in another order: i to the front, j up, k to the right.
  const turned = await volumeOf({
    size: [2, 3, 4],
    sform: [
      [0, 0, 1, 0],
      [1, 0, 0, 0],
      [0, 1, 0, 0],
    ],
    values: blank(24),
  });
  assert.deepEqual(linkPlaces(fine, turned)?.([3, 1, 2]), [3, 1, 2]);
});

test("without a known position only images of one size are linked, voxel by voxel", async () => {
  const bare = await volumeOf({ size: [4, 4, 4], values: blank(64) });
  const other = await volumeOf({ size: [4, 4, 4], sform: scaled(1), values: blank(64) });
  const larger = await volumeOf({ size: [5, 4, 4], values: blank(80) });
  assert.deepEqual(linkPlaces(bare, other)?.([1, 2, 3]), [1, 2, 3]);
  assert.equal(linkPlaces(bare, larger), undefined);
});

test("a mask covers the image only where it has a label", async () => {
  const image = await volumeOf({ size: [4, 4, 4], sform: scaled(1), values: blank(64) });
  const values = Array.from({ length: 64 }, (_, n) => (n === 0 ? 1 : n === 5 ? 2 : 0));
  const mask = await volumeOf({ size: [4, 4, 4], sform: scaled(1), values });
  const link = linkPlaces(image, mask) ?? assert.fail();
  const overlay = createOverlay(mask, link);
  assert.equal(overlay.isLabels, true);
  const { width, height, pixels } = overlaySlice(overlay, image, { plane: "axial", at: 0 });
  const alpha = Array.from({ length: width * height }, (_, n) => pixels[n * 4 + 3]);
  const covered = alpha.flatMap((value, n) => (value === 255 ? [n] : []));
  assert.deepEqual(covered, [9, 12]);
  assert.notDeepEqual([...pixels.slice(36, 39)], [...pixels.slice(48, 51)]);
});

test("labels have distinct colors, other values range from red to yellow", () => {
  const window = { black: 0, white: 10 };
  assert.equal(colorOf(0, window, true), undefined);
  assert.equal(colorOf(Number.NaN, window, false), undefined);
  assert.equal(colorOf(-3, window, false), undefined);
  assert.deepEqual(colorOf(5, window, false), [255, 128, 0]);
  assert.deepEqual(colorOf(50, window, false), [255, 255, 0]);
  assert.deepEqual(colorOf(1, window, true), colorOf(8, window, true));
});
