// NIfTI-1 single files (.nii, .nii.gz): the part of the format that one 3-D volume of plain numbers needs.
// Byte offsets and codes are those of nifti1.h. Voxels are in storage order, the first index running fastest.
// Lengths are millimetres whatever unit the file uses; the affine takes voxel indices to millimetres.

import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { ToolError } from "./tool.mjs";

const HEADER_BYTES = 348;
const DATA_OFFSET = 352;
const UNPACKED_LIMIT_BYTES = 2 ** 30;
const MM_PER_UNIT = new Map([
  [0, 1],
  [1, 1000],
  [2, 1],
  [3, 0.001],
]);

const NUMBER_TYPES = new Map([
  [2, { bytes: 1, read: (view, at) => view.getUint8(at) }],
  [4, { bytes: 2, read: (view, at, little) => view.getInt16(at, little) }],
  [8, { bytes: 4, read: (view, at, little) => view.getInt32(at, little) }],
  [16, { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) }],
  [64, { bytes: 8, read: (view, at, little) => view.getFloat64(at, little) }],
  [256, { bytes: 1, read: (view, at) => view.getInt8(at) }],
  [512, { bytes: 2, read: (view, at, little) => view.getUint16(at, little) }],
  [768, { bytes: 4, read: (view, at, little) => view.getUint32(at, little) }],
]);

const WRITTEN_TYPES = {
  uint8: { code: 2, bytes: 1, write: (view, at, value) => view.setUint8(at, value) },
  float32: { code: 16, bytes: 4, write: (view, at, value) => view.setFloat32(at, value, true) },
};

/**
 * Reads one volume: `{name, dims, voxelMm, affine, geometry, data}`.
 * `affine` is three rows of four; `geometry` is what the header said, to be handed to writeImage; `data` is a Float64Array.
 */
export async function readImage(path) {
  const name = basename(path);
  const view = viewOf(unpacked(await readFile(path), name));
  const little = byteOrder(view, name);
  const dims = readDims(view, little, name);
  const geometry = readGeometry(view, little);
  const mmPerUnit = MM_PER_UNIT.get(geometry.units & 7);
  if (mmPerUnit === undefined) throw new ToolError(`${name}: unknown unit of length, code ${geometry.units & 7}`);
  const voxelMm = geometry.pixdim.slice(1).map((size) => Math.abs(size) * mmPerUnit);
  if (!voxelMm.every((size) => size > 0 && Number.isFinite(size))) {
    throw new ToolError(`${name}: voxel size ${geometry.pixdim.slice(1).join(" x ")} is not positive`);
  }
  const affine = affineOf(geometry).map((row) => row.map((number) => number * mmPerUnit));
  return { name, dims, voxelMm, affine, geometry, data: readVoxels(view, little, { name, dims }) };
}

/** Writes `data` on the grid of `like` (`{dims, geometry}`), little-endian, unscaled; `type` is "uint8" or "float32". */
export async function writeImage(path, like, { type, data }) {
  const { code, bytes, write } = WRITTEN_TYPES[type];
  const view = viewOf(Buffer.alloc(DATA_OFFSET + data.length * bytes));
  writeHeader(view, like, { code, bytes });
  data.forEach((value, index) => write(view, DATA_OFFSET + index * bytes, value));
  await writeFile(path, view);
}

/** Refuses two volumes that do not lie on the same grid. */
export function requireSameGrid(one, other) {
  if (one.dims.some((size, axis) => size !== other.dims[axis])) {
    throw new ToolError(`${other.name}: ${other.dims.join(" x ")} voxels, but ${one.name} has ${one.dims.join(" x ")}`);
  }
  const apart = one.affine.flat().some((number, index) => Math.abs(number - other.affine.flat()[index]) > 1e-3);
  if (apart) throw new ToolError(`${other.name}: lies elsewhere in space than ${one.name}`);
}

/** The point in mm at (fractional) voxel indices. */
export function toMm(affine, [i, j, k]) {
  return affine.map(([x, y, z, origin]) => x * i + y * j + z * k + origin);
}

/** A header's geometry for a grid along the axes; `affine` is three rows of four, in mm. */
export function geometryFor(voxelMm, affine) {
  return {
    pixdim: [1, ...voxelMm],
    units: 2,
    qformCode: 0,
    sformCode: 1,
    quatern: [0, 0, 0],
    qoffset: [0, 0, 0],
    srow: affine.flat(),
  };
}

function viewOf(buffer) {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

function unpacked(buffer, name) {
  const isGzip = buffer[0] === 0x1f && buffer[1] === 0x8b;
  if (!isGzip) return buffer;
  try {
    return gunzipSync(buffer, { maxOutputLength: UNPACKED_LIMIT_BYTES });
  } catch (error) {
    throw new ToolError(`${name}: cannot be unpacked: ${error.message}`);
  }
}

function byteOrder(view, name) {
  if (view.byteLength < DATA_OFFSET) {
    throw new ToolError(`${name}: not a NIfTI-1 file: ${view.byteLength} bytes, a header alone has ${DATA_OFFSET}`);
  }
  const little = view.getInt32(0, true) === HEADER_BYTES;
  if (!little && view.getInt32(0, false) !== HEADER_BYTES) {
    throw new ToolError(
      `${name}: not a NIfTI-1 file: sizeof_hdr is ${view.getInt32(0, true)}, expected ${HEADER_BYTES}`,
    );
  }
  const magic = [344, 345, 346].map((at) => String.fromCharCode(view.getUint8(at))).join("");
  if (magic !== "n+1")
    throw new ToolError(`${name}: not a single NIfTI-1 file: magic is ${JSON.stringify(magic)}, expected "n+1"`);
  return little;
}

function readDims(view, little, name) {
  const rank = view.getInt16(40, little);
  const sizes = [1, 2, 3, 4, 5, 6, 7].map((axis) => view.getInt16(40 + 2 * axis, little));
  const beyond = sizes.slice(3, Math.max(3, rank));
  if (rank < 3 || rank > 7 || beyond.some((size) => size > 1)) {
    throw new ToolError(
      `${name}: ${sizes.slice(0, Math.min(7, Math.max(1, rank))).join(" x ")} values, expected one 3-D volume`,
    );
  }
  const dims = sizes.slice(0, 3);
  if (dims.some((size) => size < 1))
    throw new ToolError(`${name}: ${dims.join(" x ")} voxels, expected at least one along each axis`);
  return dims;
}

function readGeometry(view, little) {
  const floats = (at, count) => Array.from({ length: count }, (_, index) => view.getFloat32(at + 4 * index, little));
  return {
    pixdim: floats(76, 4),
    units: view.getUint8(123),
    qformCode: view.getInt16(252, little),
    sformCode: view.getInt16(254, little),
    quatern: floats(256, 3),
    qoffset: floats(268, 3),
    srow: floats(280, 12),
  };
}

// nifti1.h, "3D IMAGE (VOLUME) ORIENTATION AND LOCATION IN SPACE": method 3, else method 2, else method 1.
function affineOf(geometry) {
  if (geometry.sformCode > 0) return [0, 4, 8].map((at) => geometry.srow.slice(at, at + 4));
  if (geometry.qformCode > 0) return affineOfQuaternion(geometry);
  return [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => (row === column ? geometry.pixdim[row + 1] : 0)));
}

function affineOfQuaternion({ pixdim, quatern: [b, c, d], qoffset }) {
  const a = Math.sqrt(Math.max(0, 1 - b * b - c * c - d * d));
  const handedness = pixdim[0] < 0 ? -1 : 1;
  const rotation = [
    [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c],
  ];
  return rotation.map(([x, y, z], row) => [x * pixdim[1], y * pixdim[2], z * pixdim[3] * handedness, qoffset[row]]);
}

function readVoxels(view, little, { name, dims }) {
  const code = view.getInt16(70, little);
  const type = NUMBER_TYPES.get(code);
  if (type === undefined)
    throw new ToolError(`${name}: datatype ${code} is not one of ${[...NUMBER_TYPES.keys()].join(", ")}`);
  const count = dims[0] * dims[1] * dims[2];
  const start = Math.max(DATA_OFFSET, view.getFloat32(108, little));
  const end = start + count * type.bytes;
  if (!(end <= view.byteLength))
    throw new ToolError(`${name}: cut short: ${view.byteLength} bytes, its header announces ${end}`);
  const [slope, intercept] = scaling(view, little);
  const data = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    data[index] = type.read(view, start + index * type.bytes, little) * slope + intercept;
  }
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new ToolError(`${name}: voxel (${indicesAt(dims, bad).join(", ")}) is not a finite number`);
  return data;
}

// A slope of zero means "not scaled".
function scaling(view, little) {
  const slope = view.getFloat32(112, little);
  return slope === 0 ? [1, 0] : [slope, view.getFloat32(116, little)];
}

function indicesAt(dims, index) {
  return [index % dims[0], Math.floor(index / dims[0]) % dims[1], Math.floor(index / (dims[0] * dims[1]))];
}

function writeHeader(view, { dims, geometry }, { code, bytes }) {
  const shorts = (at, numbers) => numbers.forEach((number, index) => view.setInt16(at + 2 * index, number, true));
  const floats = (at, numbers) => numbers.forEach((number, index) => view.setFloat32(at + 4 * index, number, true));
  view.setInt32(0, HEADER_BYTES, true);
  view.setUint8(38, "r".charCodeAt(0));
  shorts(40, [3, ...dims, 1, 1, 1, 1]);
  shorts(70, [code, bytes * 8]);
  floats(76, [...geometry.pixdim, 0, 0, 0, 0]);
  floats(108, [DATA_OFFSET, 1, 0]);
  view.setUint8(123, geometry.units);
  shorts(252, [geometry.qformCode, geometry.sformCode]);
  floats(256, [...geometry.quatern, ...geometry.qoffset, ...geometry.srow]);
  [..."n+1"].forEach((letter, index) => view.setUint8(344 + index, letter.charCodeAt(0)));
}
