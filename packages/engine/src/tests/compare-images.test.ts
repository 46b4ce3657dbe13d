import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import { compareImages } from "./compare-images.ts";

interface MadePng {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** 0: gray, 2: RGB, 3: palette. */
  readonly color?: number;
  /** Each row with the number of its filter. */
  readonly rows: readonly (readonly number[])[];
  readonly palette?: readonly number[];
  readonly interlace?: number;
}

function png({ width, height, depth = 8, color = 0, rows, palette, interlace = 0 }: MadePng): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", Buffer.from(palette))]),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A gray image with two rows of two pixels. */
const square = (...rows: readonly (readonly number[])[]) => png({ width: 2, height: 2, rows });
const PLAIN = square([0, 10, 20], [0, 30, 40]);

describe("PNG images", () => {
  const FILTERED = {
    left: square([1, 10, 10], [1, 30, 10]),
    up: square([0, 10, 20], [2, 20, 20]),
    mean: square([0, 10, 20], [3, 25, 15]),
    Paeth: square([0, 10, 20], [4, 20, 10]),
  };
  for (const [name, image] of Object.entries(FILTERED))
    it(`are equal if one is stored with the filter ${name}`, async () =>
      assert.equal(await compareImages(image, PLAIN, 0), 0));

  it("may differ by the tolerance, which is a fraction of the largest value", async () => {
    const other = square([0, 10, 20], [0, 30, 50]);
    assert.equal(await compareImages(other, PLAIN, 0), 0.25);
    assert.equal(await compareImages(other, PLAIN, 10 / 255), 0);
  });

  it("with a palette are compared by their colors, also with few bits", async () => {
    const palette = [255, 0, 0, 0, 0, 255];
    const packed = png({ width: 3, height: 1, depth: 1, color: 3, palette, rows: [[0, 0b01000000]] });
    const plain = png({ width: 3, height: 1, color: 2, rows: [[0, 255, 0, 0, 0, 0, 255, 255, 0, 0]] });
    assert.equal(await compareImages(packed, plain, 0), 0);
  });

  it("with 16 bits have finer values", async () => {
    const fine = (low: number) => png({ width: 1, height: 1, depth: 16, rows: [[0, 1, low]] });
    assert.equal(await compareImages(fine(0), fine(1), 0), 1);
    assert.equal(await compareImages(fine(0), fine(1), 1 / 65535), 0);
  });

  const REFUSED: readonly (readonly [string, Buffer, RegExp])[] = [
    ["of another size", png({ width: 1, height: 1, rows: [[0, 1]] }), /1 × 1 pixels.*expected 2 × 2/],
    ["that are interlaced", png({ width: 2, height: 2, interlace: 1, rows: [] }), /interlaced/],
    ["that end early", png({ width: 2, height: 2, rows: [[0, 1, 2]] }), /incomplete/],
    ["of a huge size", png({ width: 100_000, height: 100_000, rows: [] }), /too large/],
    [
      "that inflate to more than they declare",
      png({ width: 1, height: 1, rows: [Array.from({ length: 9999 }, () => 0)] }),
      /Cannot create a Buffer|output length|large/i,
    ],
    ["that are not images", Buffer.from("text"), /neither a PNG nor a NIfTI/],
  ];
  for (const [name, image, expected] of REFUSED)
    it(`${name} are refused`, () => assert.rejects(compareImages(image, PLAIN, 0), expected));
});

describe("NIfTI images", () => {
  const volume = readFileSync(new URL("../../../catalog/data/cohort/sub-01.nii", import.meta.url));

  it("are equal if one is compressed", async () => assert.equal(await compareImages(gzipSync(volume), volume, 0), 0));

  it("may differ by a fraction of their range", async () => {
    const changed = Buffer.from(volume);
    changed[352] = (changed[352] ?? 0) + 2;
    const voxels = volume.length - 352;
    assert.equal(await compareImages(changed, volume, 0), 1 / voxels);
    assert.equal(await compareImages(changed, volume, 0.01), 0);
  });

  it("are refused if they end early", () =>
    assert.rejects(compareImages(volume.subarray(0, 500), volume, 0), /incomplete/));
});
