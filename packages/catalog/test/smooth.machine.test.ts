import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { completed, runTool, temporaryFolder } from "./run-tool.ts";
import { noise, readVolume, voxelsOf, writeVolume, type VolumeOptions } from "./volume.ts";

const SIGMA_PER_FWHM = 1 / (2 * Math.sqrt(2 * Math.LN2));

function smoothed(options: VolumeOptions, fwhmMm: number): ArrayLike<number> {
  const image = writeVolume(join(temporaryFolder(), "image.nii"), options);
  return readVolume(completed("smooth/1.0.0", { image, subject: "s", fwhm_mm: fwhmMm }).output("smoothed")).data;
}

function closeTo(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  assert.equal(actual.length, expected.length);
  for (const [index, value] of Array.from(actual).entries())
    assert.ok(Math.abs(value - (expected[index] ?? NaN)) <= tolerance, `${index}: ${value} for ${expected[index]}`);
}

test("an impulse becomes the analytic Gaussian, in mm along every axis", () => {
  const [dims, voxelMm, fwhmMm] = [[31, 25, 21] as const, [2, 2.5, 3] as const, 9];
  const at = [15, 12, 10] as const;
  const impulse = voxelsOf([...dims], (i, j, k) => (i === at[0] && j === at[1] && k === at[2] ? 1000 : 0));
  const sigmaMm = fwhmMm * SIGMA_PER_FWHM;
  const voxelMm3 = 2 * 2.5 * 3;
  const density = (squareMm: number) =>
    Math.exp(-squareMm / (2 * sigmaMm ** 2)) / ((2 * Math.PI) ** 1.5 * sigmaMm ** 3);
  const expected = voxelsOf(
    [...dims],
    (i, j, k) => 1000 * voxelMm3 * density(((i - 15) * 2) ** 2 + ((j - 12) * 2.5) ** 2 + ((k - 10) * 3) ** 2),
  );
  const actual = smoothed({ dims: [...dims], data: impulse, voxelMm: [...voxelMm] }, fwhmMm);
  // The kernel ends at four sigmas, where the density is 0.03 % of its peak.
  closeTo(actual, expected, Math.max(...expected) * 5e-4);
});

test("half the width from an impulse the value is half its peak", () => {
  const data = voxelsOf([81, 1, 1], (i) => (i === 40 ? 1 : 0));
  const actual = smoothed({ dims: [81, 1, 1], data, voxelMm: [1, 1, 1] }, 8);
  assert.ok(Math.abs((actual[44] ?? 0) / (actual[40] ?? 0) - 0.5) < 1e-6);
});

test("the sum of a volume stays the same when nothing is near the border", () => {
  const random = noise(27, 7);
  // Twice the kernel's reach (7 voxels) from every border: there the kernel is whole wherever it meets the cube.
  const data = voxelsOf([33, 33, 33], (i, j, k) =>
    i > 14 && i < 18 && j > 14 && j < 18 && k > 14 && k < 18 ? (random[(i % 3) + 3 * (j % 3) + 9 * (k % 3)] ?? 0) : 0,
  );
  const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((total, one) => total + one, 0);
  assert.ok(Math.abs(sum(smoothed({ dims: [33, 33, 33], data, voxelMm: [2, 2, 2] }, 8)) / sum(data) - 1) < 1e-5);
});

test("axis after axis equals the direct sum over the neighbourhood, borders too", () => {
  const dims = [7, 6, 5] as const;
  const voxelMm = [2, 3, 4] as const;
  const data = noise(7 * 6 * 5, 11);
  const sigmaMm = 7 * SIGMA_PER_FWHM;
  const reach = voxelMm.map((size) => Math.ceil((4 * sigmaMm) / size));
  const expected = voxelsOf([...dims], (i, j, k) => {
    let [sum, weights] = [0, 0];
    voxelsOf([...dims], (u, v, w) => {
      const steps = [u - i, v - j, w - k];
      if (steps.some((step, axis) => Math.abs(step) > (reach[axis] ?? 0))) return 0;
      const squareMm = steps.reduce((total, step, axis) => total + (step * (voxelMm[axis] ?? 0)) ** 2, 0);
      const weight = Math.exp(-squareMm / (2 * sigmaMm ** 2));
      sum += weight * (data[u + 7 * (v + 6 * w)] ?? 0);
      return (weights += weight);
    });
    return sum / weights;
  });
  closeTo(smoothed({ dims: [...dims], data, voxelMm: [...voxelMm] }, 7), expected, 1e-6);
});

test("a constant image stays constant, and a width of zero has no effect", () => {
  const constant = Array.from({ length: 6 * 5 * 4 }, () => 42);
  closeTo(smoothed({ dims: [6, 5, 4], data: constant }, 5), constant, 1e-5);
  const random = noise(6 * 5 * 4, 3).map(Math.fround);
  closeTo(smoothed({ dims: [6, 5, 4], data: random }, 0), random, 0);
});

test("a negative width is refused in one line", () => {
  const image = writeVolume(join(temporaryFolder(), "image.nii"), { dims: [1, 1, 1], data: [1] });
  const { exitCode, stderr } = runTool("smooth/1.0.0", { image, subject: "s", fwhm_mm: -1 });
  assert.deepEqual([exitCode, stderr], [1, "--fwhm-mm: -1 is too small, the minimum is 0\n"]);
});
