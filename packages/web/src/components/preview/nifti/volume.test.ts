import assert from "node:assert/strict";
import { test } from "node:test";
import { readNifti } from "./load-volume.ts";
import { toVoxel, toWorld } from "./orientation.ts";
import { type MadeNifti, makeNifti } from "./testing/make-nifti.ts";
import { scaled, volumeOf } from "./testing/read-volume.ts";
import { PLANE_PX, planesPicture, headerFacts } from "./volume.ts";

const MOST = 1_000_000;
/** Value 100 k + 10 j + i of an image of 2 × 3 × 4 voxels. */
const COUNTED = Array.from({ length: 24 }, (_, n) => (n % 2) + 10 * (Math.floor(n / 2) % 3) + 100 * Math.floor(n / 6));

const IDENTITY = scaled(1);

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream();
}

test("finds values by position in the body, however the file is stored", async () => {
  // i runs to the back, j to the top, k to the left.
  const sform = [
    [0, 0, -2, 6],
    [-1, 0, 0, 1],
    [0, 3, 0, 0],
  ];
  const volume = await volumeOf({ size: [2, 3, 4], spacing: [1, 3, 2], sform, values: COUNTED });
  const axes = volume.orientation.axes.map(({ voxelAxis, flipped, length, spacing }) =>
    [voxelAxis, flipped, length, spacing].join(" "),
  );
  assert.deepEqual(axes, ["2 true 4 2", "0 true 2 1", "1 false 3 3"]);
  assert.deepEqual(toVoxel(volume.orientation, [0, 0, 2]), [1, 2, 3]);
  assert.equal(volume.valueAt([0, 0, 2], 0), 321);
  assert.equal(volume.valueAt([3, 1, 0], 0), 0);
  assert.deepEqual(headerFacts(volume.header)[4], ["Orientation (i, j, k)", "back, top, left"]);
  assert.deepEqual(toWorld(volume.header.affine ?? assert.fail(), [1, 2, 3]), [0, 0, 6]);
});

test("a slice is a picture with left at the left and the upper end on top", async () => {
  const volume = await volumeOf({ size: [2, 3, 4], sform: IDENTITY, values: COUNTED });
  const window = { black: 0, white: 255 };
  const gray = (plane: "axial" | "coronal" | "sagittal", at: number): readonly number[] =>
    [...volume.slice(plane, at, { volume: 0, window }).pixels].filter((_, n) => n % 4 === 0);
  assert.deepEqual(gray("axial", 1), [120, 121, 110, 111, 100, 101]);
  assert.deepEqual(gray("coronal", 0), [255, 255, 200, 201, 100, 101, 0, 1]);
  assert.deepEqual(gray("sagittal", 1), [255, 255, 255, 201, 211, 221, 101, 111, 121, 1, 11, 21]);
});

test("the window defines black and white in scaled values", async () => {
  const volume = await volumeOf({ size: [3, 1, 1], slope: [2, 10], values: [0, 5, 10] });
  const { pixels } = volume.slice("axial", 0, { volume: 0, window: { black: 10, white: 30 } });
  assert.deepEqual([pixels[0], pixels[4], pixels[8]], [0, 128, 255]);
  assert.deepEqual(volume.usualWindow(), { black: 10, white: 30 });
});

test("a picture of one shade has a window too", async () => {
  const volume = await volumeOf({ size: [4, 1, 1], values: [7, 7, 7, 7] });
  assert.deepEqual(volume.usualWindow(), { black: 7, white: 8 });
});

test("colors are shown unchanged", async () => {
  const volume = await volumeOf({ size: [1, 1, 1], datatype: 128, values: [200, 100, 0] });
  const { pixels } = volume.slice("axial", 0, { volume: 0, window: { black: 0, white: 1 } });
  assert.deepEqual([...pixels], [200, 100, 0, 255]);
  assert.equal(volume.valueAt([0, 0, 0], 0), 100);
});

test("a compressed file is read by its content", async () => {
  const plain = streamOf(makeNifti({ size: [2, 3, 4], sform: IDENTITY, values: COUNTED }));
  const packed = plain.pipeThrough(new CompressionStream("gzip"));
  const loaded = await readNifti(packed, { mostBytes: MOST });
  assert.equal(loaded.kind === "volume" && loaded.volume.valueAt([1, 2, 3], 0), 321);
});

test("no more volumes of a series are read than fit, and each has its values", async () => {
  const values = [...COUNTED, ...COUNTED.map((value) => value + 1), ...COUNTED];
  const made = makeNifti({ size: [2, 3, 4, 3], sform: IDENTITY, values });
  const loaded = await readNifti(streamOf(made), { mostBytes: 2 * 48 });
  if (loaded.kind !== "volume") assert.fail(loaded.kind);
  assert.deepEqual([loaded.header.volumes, loaded.volume.volumes], [3, 2]);
  assert.equal(loaded.volume.valueAt([1, 2, 3], 1), 322);
  const first = await readNifti(streamOf(made), { mostBytes: MOST, mostVolumes: 1 });
  assert.equal(first.kind === "volume" && first.volume.volumes, 1);
});

const NOT_DRAWN: readonly (readonly [string, MadeNifti, number, RegExp])[] = [
  ["a volume that is too large", { size: [2, 3, 4], values: COUNTED }, 47, /too large/],
  ["complex numbers", { size: [2, 3, 4], datatype: 32, values: COUNTED }, MOST, /complex/],
  ["a truncated file", { size: [2, 3, 40], values: COUNTED }, MOST, /truncated/],
];

for (const [name, made, most, why] of NOT_DRAWN)
  test(`${name}: the header is shown, and the reason why there is no picture`, async () => {
    const loaded = await readNifti(streamOf(makeNifti(made)), { mostBytes: most });
    assert.match(loaded.kind === "header" ? loaded.why : "", why);
  });

test("a file that is not an image is reported, not thrown", async () => {
  const loaded = await readNifti(streamOf(new Uint8Array(10)), { mostBytes: MOST });
  assert.match(loaded.kind === "fault" ? loaded.fault : "", /too short/);
  const empty = await readNifti(streamOf(new Uint8Array(0)), { mostBytes: MOST });
  assert.equal(empty.kind, "fault");
});

test("the initial position is the middle, or within the content if a plane through the middle is empty", async () => {
  assert.deepEqual((await volumeOf({ size: [2, 3, 4], sform: IDENTITY, values: COUNTED })).startPlace(), [0, 1, 1]);
  const mask = Array.from({ length: 125 }, (_, n) => (n === 124 || n === 123 ? 1 : 0));
  const volume = await volumeOf({ size: [5, 5, 5], sform: IDENTITY, values: mask });
  const place = volume.startPlace();
  assert.equal(volume.valueAt(place, 0), 1);
  const empty = await volumeOf({ size: [5, 5, 5], sform: IDENTITY, values: mask.map(() => 0) });
  assert.deepEqual(empty.startPlace(), [2, 2, 2]);
});

test("the picture of an image has its three planes next to each other", async () => {
  const values = Array.from({ length: 64 }, (_, n) => (n % 4 < 2 ? 100 + Math.floor(n / 4) : 0));
  const { width, height, pixels } = planesPicture(await volumeOf({ size: [4, 4, 4], sform: IDENTITY, values }));
  assert.deepEqual([width, height], [3 * PLANE_PX, PLANE_PX]);
  const gray = (x: number, y: number): number => ((pixels[(y * width + x) * 4] ?? 0) > 200 ? 255 : 0);
  const middle = PLANE_PX / 2;
  // Left is bright in the axial and coronal plane; the sagittal one through the second voxel is bright everywhere.
  assert.deepEqual([gray(10, middle), gray(PLANE_PX - 10, middle)], [255, 0]);
  assert.deepEqual([gray(PLANE_PX + 10, middle), gray(2 * PLANE_PX - 10, middle)], [255, 0]);
  assert.deepEqual([gray(2 * PLANE_PX + 10, middle), gray(width - 10, middle)], [255, 255]);
  const flat = planesPicture(await volumeOf({ size: [4, 4, 1], sform: IDENTITY, values: values.slice(0, 16) }));
  const [above, within] = [0, PLANE_PX / 2].map((y) => flat.pixels[(y * width + PLANE_PX + 10) * 4] ?? 0);
  assert.deepEqual([above, (within ?? 0) > 200], [0, true]);
});
