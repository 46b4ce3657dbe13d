import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { completed, runTool, temporaryFolder } from "./run-tool.ts";
import { noise, volumeBytes, voxelsOf, writeVolume, type VolumeOptions } from "./volume.ts";

interface Measures {
  readonly volume_mm3: number;
  readonly volume_ml: number;
  readonly components: number;
  readonly component_volumes_ml: readonly number[];
  readonly centroid_mm: readonly number[] | null;
  readonly mean_intensity: number | null;
  readonly sd_intensity: number | null;
  readonly voxels: number;
}

function measured(volume: VolumeOptions, { image = volume, name = "image.nii", connectivity = "26" } = {}): Measures {
  const folder = temporaryFolder();
  const result = completed("measure/1.0.0", {
    image: writeVolume(join(folder, name), image),
    mask: writeVolume(join(folder, "mask.nii"), volume),
    ...{ subject: "s", connectivity },
  });
  // The file was just written by the tool under test; its fields are what the assertions look at.
  return JSON.parse(result.text("measures")) as Measures;
}

function near(actual: readonly number[] | null, expected: readonly number[], tolerance = 1e-3): void {
  expected.forEach((number, index) =>
    assert.ok(Math.abs((actual?.[index] ?? NaN) - number) <= tolerance, `${actual}, expected ${expected}`),
  );
}

test("an ellipsoid has its analytic volume and centre", () => {
  const [axes, centre, voxelMm] = [[24, 18, 15], [3.3, -2.1, 4.7], [1.5, 2, 2.5] as const];
  const dims = [50, 40, 30] as const;
  const origin = dims.map((size, axis) => -((size - 1) / 2) * (voxelMm[axis] ?? 0));
  const inside = (at: readonly number[]) =>
    at.reduce(
      (sum, index, axis) =>
        sum + ((index * (voxelMm[axis] ?? 0) + (origin[axis] ?? 0) - (centre[axis] ?? 0)) / (axes[axis] ?? 1)) ** 2,
      0,
    ) <= 1;
  const data = voxelsOf([...dims], (i, j, k) => (inside([i, j, k]) ? 1 : 0));
  const sform = voxelMm.flatMap((size, row) => [
    ...[0, 1, 2].map((column) => (row === column ? size : 0)),
    origin[row] ?? 0,
  ]);
  const measures = measured({ dims: [...dims], data, voxelMm: [...voxelMm], sform });
  const analyticMm3 = (4 / 3) * Math.PI * 24 * 18 * 15;
  assert.ok(Math.abs(measures.volume_mm3 / analyticMm3 - 1) < 0.01, `${measures.volume_mm3}, expected ${analyticMm3}`);
  assert.ok(Math.abs(measures.volume_ml * 1000 - measures.volume_mm3) < 1e-3);
  near(measures.centroid_mm, centre, 0.1);
});

test("the centroid goes through a sheared sform", () => {
  const sform = [-2, 0.5, 0, 90, 0.25, 3, 0, -126, 0, 0.75, 4, -72];
  const data = voxelsOf([6, 6, 6], (i, j, k) => (i >= 1 && i <= 2 && j === 3 && k >= 2 && k <= 4 ? 1 : 0));
  const [i, j, k] = [1.5, 3, 3];
  const expected = [-2 * i + 0.5 * j + 90, 0.25 * i + 3 * j - 126, 0.75 * j + 4 * k - 72];
  near(measured({ dims: [6, 6, 6], data, voxelMm: [2, 3, 4], sform }).centroid_mm, expected);
});

test("the centroid goes through a qform: a turn by 90° about z, with a left-handed third axis", () => {
  const half = Math.SQRT1_2;
  const data = voxelsOf([5, 5, 5], (i, j, k) => (i === 4 && j === 1 && k === 2 ? 1 : 0));
  const qform = [0, 0, half, 10, 20, 30];
  near(measured({ dims: [5, 5, 5], data, voxelMm: [2, 3, 4], qform, qfac: -1 }).centroid_mm, [
    10 - 3 * 1,
    20 + 2 * 4,
    30 - 4 * 2,
  ]);
});

test("without a position in space the voxel size alone scales; metres and big-endian integers too", () => {
  const data = voxelsOf([4, 4, 4], (i, j, k) => (i === 1 && j === 2 && k === 3 ? 1 : 0));
  near(measured({ dims: [4, 4, 4], data, voxelMm: [2, 3, 4] }).centroid_mm, [2, 6, 12]);
  const metres: VolumeOptions = { dims: [4, 4, 4], data, voxelMm: [0.002, 0.003, 0.004], units: 1 };
  const measures = measured({ ...metres, type: "int16", bigEndian: true });
  near(measures.centroid_mm, [2, 6, 12]);
  near([measures.volume_mm3], [24]);
});

test("components equal those of a flood fill, for every connectivity", () => {
  const dims = [9, 8, 7] as const;
  const data = noise(9 * 8 * 7, 21).map((one) => (one < 0.28 ? 1 : 0));
  for (const [connectivity, squareAtMost] of [
    ["6", 1],
    ["18", 2],
    ["26", 3],
  ] as const) {
    const expected = floodFill(data, dims, squareAtMost);
    const { components, component_volumes_ml: volumes } = measured(
      { dims: [...dims], data, voxelMm: [10, 10, 10] },
      { connectivity },
    );
    assert.equal(components, expected.length);
    assert.deepEqual(volumes, expected);
  }
});

/** Sizes of components, the greatest first. */
function floodFill(
  data: readonly number[],
  [nx, ny, nz]: readonly [number, number, number],
  squareAtMost: number,
): number[] {
  const open = new Set(data.flatMap((value, index) => (value === 1 ? [index] : [])));
  const at = (index: number) => [index % nx, Math.floor(index / nx) % ny, Math.floor(index / (nx * ny))] as const;
  const touch = (one: number, other: number) => {
    const steps = at(one).map((value, axis) => Math.abs(value - (at(other)[axis] ?? 0)));
    return Math.max(...steps) <= 1 && steps.reduce((sum, step) => sum + step * step, 0) <= squareAtMost;
  };
  const sizes: number[] = [];
  assert.equal(data.length, nx * ny * nz);
  while (open.size > 0) {
    const found = [...open].slice(0, 1);
    open.delete(found[0] ?? -1);
    for (const one of found) {
      const next = [...open].filter((other) => touch(one, other));
      next.forEach((other) => open.delete(other));
      found.push(...next);
    }
    sizes.push(found.length);
  }
  return sizes.toSorted((one, other) => other - one);
}

test("intensities inside the mask, from a packed and scaled image", () => {
  const mask: VolumeOptions = { dims: [3, 2, 1], data: [1, 0, 1, 1, 0, 1], scaling: [1, 0] };
  const image: VolumeOptions = { dims: [3, 2, 1], data: [2, 99, 4, 4, 99, 6], type: "int16", scaling: [0.5, 10] };
  const measures = measured(mask, { image, name: "image.nii.gz" });
  // 11, 12, 12, 13
  near([measures.mean_intensity ?? NaN, measures.sd_intensity ?? NaN], [12, Math.sqrt(2 / 3)], 1e-6);
});

test("an empty mask has no centroid and no intensity", () => {
  const measures = measured({ dims: [2, 2, 2], data: Array.from({ length: 8 }, () => 0) });
  assert.deepEqual(
    [measures.voxels, measures.volume_ml, measures.components, measures.centroid_mm, measures.mean_intensity],
    [0, 0, 0, null, null],
  );
});

const good: VolumeOptions = { dims: [2, 2, 2], data: [1, 2, 3, 4, 5, 6, 7, 8] };
const changed = (change: (bytes: Buffer) => unknown) => {
  const bytes = volumeBytes(good);
  change(bytes);
  return bytes;
};
const BAD_IMAGES: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
  "NIfTI-2": [
    changed((bytes) => bytes.writeInt32LE(540, 0)),
    /^sub-03\.nii: not a NIfTI-1 file: sizeof_hdr is 540, expected 348$/,
  ],
  "something else": [Buffer.from("hello"), /^sub-03\.nii: not a NIfTI-1 file: 5 bytes, a header alone has 352$/],
  "half of a pair": [
    changed((bytes) => bytes.write("ni1", 344)),
    /^sub-03\.nii: not a single NIfTI-1 file: magic is "ni1"/,
  ],
  "a cut file": [volumeBytes(good).subarray(0, 400), /^sub-03\.nii: cut short: 400 bytes, its header announces 416$/],
  "a damaged archive": [Buffer.from([0x1f, 0x8b, 8, 0, 0]), /^sub-03\.nii: cannot be unpacked: /],
  "complex numbers": [changed((bytes) => bytes.writeInt16LE(32, 70)), /^sub-03\.nii: datatype 32 is not one of /],
  "a series": [
    changed((bytes) => bytes.writeInt16LE(4, 40) && bytes.writeInt16LE(9, 48)),
    /^sub-03\.nii: 2 x 2 x 2 x 9 values, expected one 3-D volume$/,
  ],
  "no voxel size": [
    changed((bytes) => bytes.writeFloatLE(0, 84)),
    /^sub-03\.nii: voxel size 1 x 0 x 1 is not positive$/,
  ],
  "not a number": [
    changed((bytes) => bytes.writeDoubleLE(NaN, 352 + 8 * 3)),
    /^sub-03\.nii: voxel \(1, 1, 0\) is not a finite number$/,
  ],
  "another grid": [
    volumeBytes({ dims: [4, 2, 1], data: good.data }),
    /^mask\.nii: 2 x 2 x 2 voxels, but sub-03\.nii has 4 x 2 x 1$/,
  ],
  "another place": [
    volumeBytes({ ...good, voxelMm: [1, 1, 2] }),
    /^mask\.nii: lies elsewhere in space than sub-03\.nii$/,
  ],
};

for (const [name, [bytes, message]] of Object.entries(BAD_IMAGES))
  test(`${name} is refused in one line with the name of the file`, () => {
    const folder = temporaryFolder();
    const image = join(folder, "sub-03.nii");
    writeFileSync(image, bytes);
    const mask = writeVolume(join(folder, "mask.nii"), good);
    const { exitCode, stderr } = runTool("measure/1.0.0", { image, mask, subject: "s" });
    assert.equal(exitCode, 1);
    assert.match(stderr.trimEnd(), message);
  });
