/** The header of a NIfTI-1 or NIfTI-2 file (nifti1.h, nifti2.h), with voxel axes i, j, k. */
export interface NiftiHeader {
  readonly version: 1 | 2;
  readonly littleEndian: boolean;
  readonly type: DataType;
  /** Voxels along i, j and k, each at least 1. */
  readonly size: readonly [number, number, number];
  /** Number of volumes: time points, directions. */
  readonly volumes: number;
  /** Voxel spacing along i, j and k. */
  readonly spacing: readonly [number, number, number];
  readonly unit: string;
  /** Offset of the first value in bytes. */
  readonly dataFrom: number;
  /** value = stored * slope + intercept */
  readonly slope: number;
  readonly intercept: number;
  /** Values to show as black and white, if the file names them. */
  readonly shown: readonly [number, number] | undefined;
  readonly description: string;
  /** Voxel to millimeters (Right, Anterior, Superior), rows of four; undefined if the file does not define it. */
  readonly affine: Affine | undefined;
}

/** The storage format of the values in a NIfTI file (nifti1.h, `datatype`). */
export interface DataType {
  readonly name: string;
  readonly bytes: number;
  /** Reads one value; absent for colors and for types that cannot be drawn in gray. */
  readonly read?: (view: DataView, offset: number, littleEndian: boolean) => number;
  /** Parts of a color, one byte each. */
  readonly colors?: 3 | 4;
}

export type Row = readonly [number, number, number, number];
export type Affine = readonly [Row, Row, Row];

/** This many bytes are enough to read any header. */
export const HEADER_BYTES = 540;

/** Parses the header of a file; returns the reason if it is invalid. */
export function readNiftiHeader(bytes: Uint8Array): NiftiHeader | { readonly fault: string } {
  if (bytes.length < 348) return { fault: "The file is too short to be a NIfTI image." };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const littleEndian of [true, false]) {
    const length = view.getInt32(0, littleEndian);
    if (length === 348) return read({ view, littleEndian, at: AT_1, version: 1 });
    if (length === 540 && bytes.length >= 540) return read({ view, littleEndian, at: AT_2, version: 2 });
  }
  return { fault: "Not a NIfTI image: the header length (sizeof_hdr) is wrong." };
}

/** The byte offsets of fields, which differ between NIfTI-1 and NIfTI-2. */
const AT_1 = {
  magic: 344,
  datatype: 70,
  dim: 40,
  pixdim: 76,
  dataFrom: 108,
  slope: 112,
  calMax: 124,
  description: 148,
  codes: 252,
  quaternion: 256,
  rows: 280,
  units: 123,
};
const AT_2: typeof AT_1 = {
  magic: 4,
  datatype: 12,
  dim: 16,
  pixdim: 104,
  dataFrom: 168,
  slope: 176,
  calMax: 192,
  description: 240,
  codes: 344,
  quaternion: 352,
  rows: 400,
  units: 500,
};

interface Source {
  readonly view: DataView;
  readonly littleEndian: boolean;
  readonly at: typeof AT_1;
  readonly version: 1 | 2;
}

function read(source: Source): NiftiHeader | { readonly fault: string } {
  const { view, littleEndian, at, version } = source;
  const magic = text(view, at.magic, 3);
  if (magic === "ni1" || magic === "ni2")
    return { fault: "The voxel data is in a separate .img file, which Weft cannot display." };
  const code = view.getInt16(at.datatype, littleEndian);
  const type = DATA_TYPES.get(code);
  const dim = Array.from({ length: 8 }, (_, n) => whole(source, n));
  const [axes = 0, ...lengths] = dim;
  if (axes < 1 || axes > 7 || lengths.slice(0, axes).some((length) => length < 1))
    return { fault: "Invalid header: the image dimensions (dim) are out of range." };
  if (type === undefined) return { fault: `Unknown data type: ${code}.` };
  const along = (n: number): number => (n < axes ? (lengths[n] ?? 1) : 1);
  const spacing = [1, 2, 3].map((n) => Math.abs(real(source, at.pixdim, n)) || 1);
  const slope = real(source, at.slope, 0);
  const [black, white] = [real(source, at.calMax, 1), real(source, at.calMax, 0)];
  return {
    version,
    littleEndian,
    type,
    size: [along(0), along(1), along(2)],
    volumes: [3, 4, 5, 6].reduce((count, n) => count * along(n), 1),
    spacing: triple(spacing),
    unit: unitOf(view.getUint8(version === 2 && !littleEndian ? at.units + 3 : at.units)),
    dataFrom:
      version === 1 ? Math.floor(real(source, at.dataFrom, 0)) : Number(view.getBigInt64(at.dataFrom, littleEndian)),
    // A slope of 0 means no scaling.
    slope: Number.isFinite(slope) && slope !== 0 ? slope : 1,
    intercept: Number.isFinite(slope) && slope !== 0 ? real(source, at.slope, 1) || 0 : 0,
    shown: white > black ? [black, white] : undefined,
    description: text(view, at.description, 80),
    affine: affineOf(source, triple(spacing)),
  };
}

function whole({ view, littleEndian, at, version }: Source, n: number): number {
  return version === 1
    ? view.getInt16(at.dim + 2 * n, littleEndian)
    : Number(view.getBigInt64(at.dim + 8 * n, littleEndian));
}

/** The n-th of several numbers with a fraction. */
function real({ view, littleEndian, version }: Source, from: number, n: number): number {
  return version === 1 ? view.getFloat32(from + 4 * n, littleEndian) : view.getFloat64(from + 8 * n, littleEndian);
}

function text(view: DataView, from: number, length: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + from, length);
  const end = bytes.indexOf(0);
  return new TextDecoder("latin1").decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}

function unitOf(code: number): string {
  return { 1: "m", 2: "mm", 3: "µm" }[code & 7] ?? "mm";
}

/** The sform takes precedence over the qform, as in most programs. */
function affineOf(source: Source, spacing: readonly [number, number, number]): Affine | undefined {
  const { view, littleEndian, at, version } = source;
  const code = (n: number): number =>
    version === 1 ? view.getInt16(at.codes + 2 * n, littleEndian) : view.getInt32(at.codes + 4 * n, littleEndian);
  if (code(1) > 0) {
    const row = (n: number): Row => [0, 1, 2, 3].map((m) => real(source, at.rows, 4 * n + m)) as unknown as Row; // four
    return [row(0), row(1), row(2)];
  }
  return code(0) > 0 ? affineOfQuaternion(source, spacing) : undefined;
}

/** nifti1.h, method 2: a rotation, with the third axis flipped if pixdim[0] is negative. */
function affineOfQuaternion(source: Source, [di, dj, dk]: readonly [number, number, number]): Affine {
  const { at } = source;
  const [b = 0, c = 0, d = 0, x = 0, y = 0, z = 0] = Array.from({ length: 6 }, (_, n) =>
    real(source, at.quaternion, n),
  );
  const a = Math.sqrt(Math.max(0, 1 - b * b - c * c - d * d));
  const k = real(source, at.pixdim, 0) < 0 ? -dk : dk;
  return [
    [(a * a + b * b - c * c - d * d) * di, 2 * (b * c - a * d) * dj, 2 * (b * d + a * c) * k, x],
    [2 * (b * c + a * d) * di, (a * a + c * c - b * b - d * d) * dj, 2 * (c * d - a * b) * k, y],
    [2 * (b * d - a * c) * di, 2 * (c * d + a * b) * dj, (a * a + d * d - b * b - c * c) * k, z],
  ];
}

function triple(values: readonly number[]): readonly [number, number, number] {
  const [a = 1, b = 1, c = 1] = values;
  return [a, b, c];
}

const DATA_TYPES: ReadonlyMap<number, DataType> = new Map<number, DataType>([
  [2, { name: "8-bit unsigned integer", bytes: 1, read: (view, at) => view.getUint8(at) }],
  [4, { name: "16-bit integer", bytes: 2, read: (view, at, little) => view.getInt16(at, little) }],
  [8, { name: "32-bit integer", bytes: 4, read: (view, at, little) => view.getInt32(at, little) }],
  [16, { name: "32-bit float", bytes: 4, read: (view, at, little) => view.getFloat32(at, little) }],
  [32, { name: "complex, 32-bit floats", bytes: 8 }],
  [64, { name: "64-bit float", bytes: 8, read: (view, at, little) => view.getFloat64(at, little) }],
  [128, { name: "RGB color", bytes: 3, colors: 3 }],
  [256, { name: "8-bit integer", bytes: 1, read: (view, at) => view.getInt8(at) }],
  [512, { name: "16-bit unsigned integer", bytes: 2, read: (view, at, little) => view.getUint16(at, little) }],
  [768, { name: "32-bit unsigned integer", bytes: 4, read: (view, at, little) => view.getUint32(at, little) }],
  [1024, { name: "64-bit integer", bytes: 8, read: (view, at, little) => Number(view.getBigInt64(at, little)) }],
  [
    1280,
    { name: "64-bit unsigned integer", bytes: 8, read: (view, at, little) => Number(view.getBigUint64(at, little)) },
  ],
  [1536, { name: "128-bit float", bytes: 16 }],
  [1792, { name: "complex, 64-bit floats", bytes: 16 }],
  [2304, { name: "RGBA color", bytes: 4, colors: 4 }],
]);
