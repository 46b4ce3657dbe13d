import assert from "node:assert/strict";
import { test } from "node:test";
import { type NiftiHeader, readNiftiHeader } from "@weft/shared/image/nifti-header.ts";
import { type MadeNifti, makeNifti } from "./testing/make-nifti.ts";
import { scaled } from "./testing/read-volume.ts";
import { headerFacts } from "./volume.ts";

const PLAIN: MadeNifti = { size: [2, 3, 4], spacing: [1, 1.5, 2], values: Array.from({ length: 24 }, () => 0) };

function headerOf(made: MadeNifti): NiftiHeader {
  const header = readNiftiHeader(makeNifti(made));
  if ("fault" in header) assert.fail(header.fault);
  return header;
}

for (const version of [1, 2] as const)
  for (const littleEndian of [true, false])
    test(`NIfTI-${version}, ${littleEndian ? "little" : "big"}-endian, is read`, () => {
      const header = headerOf({ ...PLAIN, version, littleEndian, slope: [2, -1] });
      assert.deepEqual(header.size, [2, 3, 4]);
      assert.deepEqual(header.spacing, [1, 1.5, 2]);
      assert.equal(header.type.name, "16-bit integer");
      assert.equal(header.dataFrom, version === 1 ? 352 : 544);
      assert.deepEqual([header.slope, header.intercept, header.unit], [2, -1, "mm"]);
      assert.equal(header.description, "made for a test");
      assert.deepEqual(headerFacts(header)[0], [
        "Format",
        `NIfTI-${version}, ${littleEndian ? "little" : "big"}-endian`,
      ]);
    });

test("a slope of 0 means no scaling, missing axes have one voxel, further axes are volumes", () => {
  const flat = headerOf({ size: [5, 4], slope: [0, 7], values: [] });
  assert.deepEqual([flat.size, flat.volumes, flat.slope, flat.intercept], [[5, 4, 1], 1, 1, 0]);
  assert.equal(headerOf({ size: [2, 2, 2, 10, 1, 3], values: [] }).volumes, 30);
});

test("the sform takes precedence over the qform, and without both the orientation is unknown", () => {
  const sform = scaled(2, [90, -126, -72], -1);
  const qform = [0, 0, 0, 1, 2, 3, 1] as const;
  assert.deepEqual(headerOf({ ...PLAIN, sform, qform }).affine, sform);
  assert.deepEqual(headerOf({ ...PLAIN, qform }).affine, [
    [1, 0, 0, 1],
    [0, 1.5, 0, 2],
    [0, 0, 2, 3],
  ]);
  assert.equal(headerOf(PLAIN).affine, undefined);
});

test("a quaternion turns the axes, and a negative first spacing the third of them", () => {
  // Half a turn around the third axis: right becomes left, front becomes back.
  const turned = headerOf({ ...PLAIN, qform: [0, 0, 1, 0, 0, 0, -1] }).affine;
  const rows = turned?.map((row) => row.map((value) => value + 0).join(" "));
  assert.deepEqual(rows, ["-1 0 0 0", "0 -1.5 0 0", "0 0 -2 0"]);
});

const FAULTS: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array, RegExp])[] = [
  ["a short file", (bytes) => bytes.subarray(0, 100), /too short/],
  ["a file of another kind", (bytes) => bytes.fill(65), /Not a NIfTI image/],
  ["a header whose values are elsewhere", (bytes) => with_(bytes, 344, [0x6e, 0x69, 0x31]), /separate .img file/],
  ["no axes", (bytes) => with_(bytes, 40, [0, 0]), /dimensions/],
  ["an axis of length 0", (bytes) => with_(bytes, 42, [0, 0]), /dimensions/],
  ["an unknown type of values", (bytes) => with_(bytes, 70, [77, 0]), /type: 77/],
];

for (const [name, spoil, fault] of FAULTS)
  test(`${name} is refused with the reason`, () => {
    const header = readNiftiHeader(spoil(makeNifti(PLAIN)));
    assert.match("fault" in header ? header.fault : "", fault);
  });

function with_(bytes: Uint8Array, at: number, put: readonly number[]): Uint8Array {
  bytes.set(put, at);
  return bytes;
}
