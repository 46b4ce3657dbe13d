import { countText } from "@weft/shared/text/count-text.ts";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { giveWay } from "../async/give-way.ts";
import type { Picture } from "./compare-images.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Number of values of a pixel by color type: gray, RGB, palette, gray with alpha, RGBA (PNG 3, section 11.2.1). */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

const MAX_VALUES = 64 * 1024 * 1024;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly color: number;
  readonly channels: number;
}

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
}

/**
 * Reads the pixel values of a PNG file, with palette indexes resolved to colors. Never inflates more than the header
 * announces. Throws an Error for a file that is damaged, interlaced or very large.
 */
export async function readPng(bytes: Uint8Array): Promise<Picture> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = readChunks(file);
  const header = readHeader(chunks.find(({ type }) => type === "IHDR")?.data);
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const rowBytes = Math.ceil((header.width * header.channels * header.depth) / 8);
  const size = (rowBytes + 1) * header.height;
  const rows = await promisify(inflate)(packed, { maxOutputLength: size });
  if (rows.length !== size) throw new Error("the PNG image is incomplete");
  await unfilter(rows, rowBytes, Math.max(1, (header.channels * header.depth) / 8));
  const perRow = header.width * header.channels;
  const stored = (index: number) => {
    const row = Math.floor(index / perRow);
    return valueAt(rows, row * (rowBytes + 1) + 1, index - row * perRow, header.depth);
  };
  if (header.color !== 3) return pictureOf(header, 2 ** header.depth - 1, stored);
  const palette = chunks.find(({ type }) => type === "PLTE")?.data ?? Buffer.alloc(0);
  const colorAt = (index: number) => palette[3 * stored(Math.floor(index / 3)) + (index % 3)] ?? 0;
  return pictureOf({ ...header, channels: 3 }, 255, colorAt);
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function readChunks(file: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + 8 <= file.length;) {
    const length = file.readUInt32BE(at);
    chunks.push({ type: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function readHeader(data: Buffer | undefined): Header {
  if (data === undefined || data.length < 13) throw new Error("the PNG image has no header");
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, color = 0, , , interlace = 0] = data.subarray(8);
  const channels = CHANNELS.get(color);
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth))
    throw new Error("the PNG image has an invalid header");
  if (interlace !== 0) throw new Error("interlaced PNG images cannot be compared");
  if (width * height * channels > MAX_VALUES)
    throw new Error(`the PNG image is too large: ${width} × ${height} pixels`);
  return { width, height, depth, color, channels };
}

/** Each row begins with the number of its filter (PNG 3, section 9.2). `step`: bytes of a pixel. */
async function unfilter(rows: Buffer, rowBytes: number, step: number): Promise<void> {
  for (let start = 0; start < rows.length; start += rowBytes + 1) {
    await giveWay();
    const filter = rows[start] ?? 0;
    for (let at = start + 1; at <= start + rowBytes; at++) {
      const left = at - step > start ? (rows[at - step] ?? 0) : 0;
      const up = start > 0 ? (rows[at - rowBytes - 1] ?? 0) : 0;
      const upLeft = start > 0 && at - step > start ? (rows[at - rowBytes - 1 - step] ?? 0) : 0;
      rows[at] = (rows[at] ?? 0) + predict(filter, left, up, upLeft);
    }
  }
}

function predict(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const guess = left + up - upLeft;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
      if (a <= b && a <= c) return left;
      return b <= c ? up : upLeft;
    }
    default:
      throw new Error("the PNG image has an unknown filter");
  }
}

function valueAt(rows: Buffer, start: number, n: number, depth: number): number {
  if (depth === 16) return rows.readUInt16BE(start + 2 * n);
  if (depth === 8) return rows[start + n] ?? 0;
  const bit = n * depth;
  return ((rows[start + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

function pictureOf({ width, height, channels }: Header, most: number, stored: (index: number) => number): Picture {
  return {
    shape: [width, height, channels],
    text: `${width} × ${height} pixels with ${countText(channels, "value")} each`,
    range: 1,
    valueAt: (index) => stored(index) / most,
  };
}
