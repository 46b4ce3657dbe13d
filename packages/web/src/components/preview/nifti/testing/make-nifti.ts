/** The fields of an image that a test specifies; everything else has defaults. */
export interface MadeNifti {
  readonly version?: 1 | 2;
  readonly littleEndian?: boolean;
  readonly size: readonly number[];
  /** Code of the data type, and how to write a value. */
  readonly datatype?: number;
  readonly spacing?: readonly number[];
  readonly slope?: readonly [slope: number, intercept: number];
  /** Rows of four. */
  readonly sform?: readonly (readonly number[])[];
  /** b, c, d, x, y, z and the sign of the third axis. */
  readonly qform?: readonly [number, number, number, number, number, number, 1 | -1];
  readonly values: readonly number[];
}

/** Creates a NIfTI file for tests: 16-bit integers unless another type is given. Written from nifti1.h and nifti2.h. */
export function makeNifti(made: MadeNifti): Uint8Array<ArrayBuffer> {
  const { version = 1, littleEndian = true, datatype = 4, values } = made;
  const from = version === 1 ? 352 : 544;
  const bytes = new Uint8Array(from + values.length * bytesOf(datatype));
  const view = new DataView(bytes.buffer);
  if (version === 1) writeFirst(view, made, littleEndian);
  else writeSecond(view, made, littleEndian);
  values.forEach((value, n) => write(view, from + n * bytesOf(datatype), { value, datatype, littleEndian }));
  return bytes;
}

function bytesOf(datatype: number): number {
  return datatype === 2 || datatype === 128 ? 1 : datatype === 16 ? 4 : 2;
}

function write(
  view: DataView,
  at: number,
  {
    value,
    datatype,
    littleEndian,
  }: { readonly value: number; readonly datatype: number; readonly littleEndian: boolean },
): void {
  if (datatype === 16) view.setFloat32(at, value, littleEndian);
  else if (bytesOf(datatype) === 1) view.setUint8(at, value);
  else view.setInt16(at, value, littleEndian);
}

function writeFirst(view: DataView, made: MadeNifti, little: boolean): void {
  const { size, datatype = 4, spacing = [1, 1, 1], slope = [1, 0], sform, qform } = made;
  view.setInt32(0, 348, little);
  [size.length, ...size].forEach((length, n) => view.setInt16(40 + 2 * n, length, little));
  view.setInt16(70, datatype, little);
  [qform?.[6] ?? 1, ...spacing].forEach((value, n) => view.setFloat32(76 + 4 * n, value, little));
  view.setFloat32(108, 352, little);
  slope.forEach((value, n) => view.setFloat32(112 + 4 * n, value, little));
  view.setUint8(123, 2);
  writeText(view, 148, "made for a test");
  view.setInt16(252, qform === undefined ? 0 : 1, little);
  view.setInt16(254, sform === undefined ? 0 : 1, little);
  qform?.slice(0, 6).forEach((value, n) => view.setFloat32(256 + 4 * n, value, little));
  sform?.flat().forEach((value, n) => view.setFloat32(280 + 4 * n, value, little));
  writeText(view, 344, "n+1");
}

function writeSecond(view: DataView, made: MadeNifti, little: boolean): void {
  const { size, datatype = 4, spacing = [1, 1, 1], slope = [1, 0], sform, qform } = made;
  view.setInt32(0, 540, little);
  writeText(view, 4, "n+2");
  view.setInt16(12, datatype, little);
  [size.length, ...size].forEach((length, n) => view.setBigInt64(16 + 8 * n, BigInt(length), little));
  [qform?.[6] ?? 1, ...spacing].forEach((value, n) => view.setFloat64(104 + 8 * n, value, little));
  view.setBigInt64(168, 544n, little);
  slope.forEach((value, n) => view.setFloat64(176 + 8 * n, value, little));
  writeText(view, 240, "made for a test");
  view.setInt32(344, qform === undefined ? 0 : 1, little);
  view.setInt32(348, sform === undefined ? 0 : 1, little);
  qform?.slice(0, 6).forEach((value, n) => view.setFloat64(352 + 8 * n, value, little));
  sform?.flat().forEach((value, n) => view.setFloat64(400 + 8 * n, value, little));
  view.setInt32(500, 2, little);
}

function writeText(view: DataView, at: number, text: string): void {
  [...text].forEach((letter, n) => view.setUint8(at + n, letter.charCodeAt(0)));
}
