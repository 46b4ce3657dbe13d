// A second, independent writer and reader of NIfTI-1 volumes, for making test images and looking into results.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

export interface Volume {
  readonly dims: readonly [number, number, number];
  readonly data: ArrayLike<number>;
}

export interface VolumeOptions extends Volume {
  readonly voxelMm?: readonly [number, number, number];
  /** Twelve numbers, row after row; without them the header has no sform. */
  readonly sform?: readonly number[];
  /** b, c, d, then the offset x, y, z. */
  readonly qform?: readonly number[];
  readonly qfac?: 1 | -1;
  readonly type?: "float64" | "int16";
  readonly bigEndian?: boolean;
  readonly scaling?: readonly [number, number];
  readonly units?: number;
}

/** Packs the file if its name ends in .gz. Returns the path. */
export function writeVolume(path: string, options: VolumeOptions): string {
  const bytes = volumeBytes(options);
  writeFileSync(path, path.endsWith(".gz") ? gzipSync(bytes) : bytes);
  return path;
}

export function volumeBytes({
  dims,
  data,
  voxelMm = [1, 1, 1],
  sform,
  qform,
  qfac = 1,
  type = "float64",
  bigEndian = false,
  scaling = [0, 0],
  units = 2,
}: VolumeOptions): Buffer {
  const size = type === "float64" ? 8 : 2;
  const bytes = Buffer.alloc(352 + data.length * size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = !bigEndian;
  const short = (at: number, value: number) => view.setInt16(at, value, little);
  const floats = (at: number, values: readonly number[]) =>
    values.forEach((value, index) => view.setFloat32(at + 4 * index, value, little));
  view.setInt32(0, 348, little);
  [3, ...dims, 1, 1, 1, 1].forEach((value, index) => short(40 + 2 * index, value));
  short(70, type === "float64" ? 64 : 4);
  short(72, 8 * size);
  floats(76, [qfac, ...voxelMm]);
  floats(108, [352, ...scaling]);
  view.setUint8(123, units);
  short(252, qform === undefined ? 0 : 1);
  short(254, sform === undefined ? 0 : 1);
  floats(256, qform ?? []);
  floats(280, sform ?? []);
  bytes.write("n+1\0", 344, "latin1");
  Array.from(data).forEach((value, index) =>
    type === "float64" ? view.setFloat64(352 + 8 * index, value, little) : short(352 + 2 * index, value),
  );
  return bytes;
}

/** Reads the volumes that the tools write: little-endian, 8-bit or 32-bit float, unscaled. */
export function readVolume(path: string): Volume & { readonly sform: readonly number[] } {
  const bytes = readFileSync(path);
  const dims = [bytes.readInt16LE(42), bytes.readInt16LE(44), bytes.readInt16LE(46)] as const;
  const isByte = bytes.readInt16LE(70) === 2;
  const data = Array.from({ length: dims[0] * dims[1] * dims[2] }, (_, index) =>
    isByte ? bytes.readUInt8(352 + index) : bytes.readFloatLE(352 + 4 * index),
  );
  return { dims: [...dims], data, sform: Array.from({ length: 12 }, (_, index) => bytes.readFloatLE(280 + 4 * index)) };
}

/** The voxels of a volume from a function of their indices. */
export function voxelsOf(dims: Volume["dims"], value: (i: number, j: number, k: number) => number): number[] {
  const [nx, ny, nz] = dims;
  return Array.from({ length: nx * ny * nz }, (_, index) =>
    value(index % nx, Math.floor(index / nx) % ny, Math.floor(index / (nx * ny))),
  );
}

/** Numbers that look random and are the same in every run. */
export function noise(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  });
}
