import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readNiftiHeader } from "@weft/shared/image/nifti-header.ts";
import { giveWay } from "../async/give-way.ts";
import { isPng, readPng } from "./read-png.ts";

/** The values of an image in their order. */
export interface Picture {
  readonly shape: readonly number[];
  /** The shape for people. */
  readonly text: string;
  /** The difference between the largest and the smallest possible value. */
  readonly range: number;
  /** NaN for a value that is not a number. */
  readonly valueAt: (index: number) => number;
}

/**
 * The fraction of values, 0 to 1, that differ from those of another image by more than the tolerance, a fraction of
 * the range of values. Reads PNG, and NIfTI-1 and NIfTI-2, also compressed. Throws an Error for images that cannot be
 * compared.
 */
export async function compareImages(actual: Uint8Array, expected: Uint8Array, tolerance: number): Promise<number> {
  const [left, right] = [await readPicture(actual), await readPicture(expected)];
  if (left.text !== right.text) throw new Error(`is an image of ${left.text}, expected ${right.text}`);
  const count = left.shape.reduce((product, length) => product * length, 1);
  let further = 0;
  for (let index = 0; index < count; index++) {
    if (index % SLICE === 0) await giveWay();
    const [a, b] = [left.valueAt(index), right.valueAt(index)];
    const isNear = Math.abs(a - b) <= tolerance * right.range || Object.is(a, b);
    if (!isNear) further += 1;
  }
  return count === 0 ? 0 : further / count;
}

/** Number of values between two checks of the clock. */
const SLICE = 16_384;
const MAX_BYTES = 512 * 1024 * 1024;

async function readPicture(bytes: Uint8Array): Promise<Picture> {
  if (isPng(bytes)) return readPng(bytes);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return readNifti(isCompressed ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES }) : bytes);
}

async function readNifti(bytes: Uint8Array): Promise<Picture> {
  const header = readNiftiHeader(bytes);
  if ("fault" in header) throw new Error("is neither a PNG nor a NIfTI image");
  const { type, size, volumes, dataFrom, slope, intercept, littleEndian } = header;
  const { read } = type;
  if (read === undefined) throw new Error(`NIfTI images of ${type.name} cannot be compared`);
  const shape = [...size, volumes];
  const count = shape.reduce((product, length) => product * length, 1);
  if (dataFrom < 0 || dataFrom + count * type.bytes > bytes.length) throw new Error("the NIfTI image is incomplete");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const valueAt = (index: number) => read(view, dataFrom + index * type.bytes, littleEndian) * slope + intercept;
  return { shape, text: `${shape.join(" × ")} voxels`, range: await rangeOf(count, valueAt), valueAt };
}

async function rangeOf(count: number, valueAt: (index: number) => number): Promise<number> {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < count; index++) {
    if (index % SLICE === 0) await giveWay();
    const value = valueAt(index);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most > least ? most - least : 0;
}
