/** The storage format of the values in a NIfTI file (nifti1.h, `datatype`). */
export interface DataType {
  readonly name: string;
  readonly bytes: number;
  /** Reads one value; absent for colors and for types that cannot be drawn in gray. */
  readonly read?: (view: DataView, offset: number, littleEndian: boolean) => number;
  /** Parts of a color, one byte each. */
  readonly colors?: 3 | 4;
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

/** The data type for a code; undefined for an unknown code. */
export function dataTypeOf(code: number): DataType | undefined {
  return DATA_TYPES.get(code);
}
