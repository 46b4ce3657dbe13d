import type { Affine } from "@weft/shared/image/nifti-header.ts";
import { toPlace, toVoxel } from "./orientation.ts";
import type { Place, Volume } from "./volume.ts";

/** Maps positions in one image to positions in another. */
export type PlaceLink = (place: Place) => Place | undefined;

/**
 * Maps to the same point of the body if both files define their position, otherwise to the same voxel of images of
 * equal size; undefined if the images cannot be compared. A link returns undefined for a point outside the other image.
 */
export function linkPlaces(from: Volume, to: Volume): PlaceLink | undefined {
  const back = to.header.affine === undefined ? undefined : inverse(to.header.affine);
  const forth = from.header.affine;
  const isInside = (voxel: readonly number[]): boolean =>
    voxel.every((at, axis) => at >= 0 && at < (to.header.size[axis] ?? 0));
  if (back !== undefined && forth !== undefined) {
    const whole = product(back, forth);
    return (place) => {
      const voxel = apply(whole, toVoxel(from.orientation, place)).map(Math.round);
      return isInside(voxel) ? toPlace(to.orientation, voxel) : undefined;
    };
  }
  if (from.header.size.some((length, axis) => length !== to.header.size[axis])) return undefined;
  return (place) => toPlace(to.orientation, toVoxel(from.orientation, place));
}

function apply(matrix: Affine, [i = 0, j = 0, k = 0]: readonly number[]): readonly number[] {
  return matrix.map((row) => row[0] * i + row[1] * j + row[2] * k + row[3]);
}

type Row = Affine[number];
const AXES = [0, 1, 2] as const;

function product(a: Affine, b: Affine): Affine {
  const row = (r: 0 | 1 | 2): Row => {
    const [x, y, z, shift] = a[r];
    const at = (c: 0 | 1 | 2 | 3): number => x * b[0][c] + y * b[1][c] + z * b[2][c] + (c === 3 ? shift : 0);
    return [at(0), at(1), at(2), at(3)];
  };
  return [row(0), row(1), row(2)];
}

/** Undefined for a matrix that flattens space. */
function inverse(matrix: Affine): Affine | undefined {
  const at = (row: number, column: number): number => matrix[row % 3]?.[column % 3] ?? 0;
  /** Cyclic row and column indexes give each cofactor its sign. */
  const cofactor = (r: number, c: number): number =>
    at(r + 1, c + 1) * at(r + 2, c + 2) - at(r + 1, c + 2) * at(r + 2, c + 1);
  const determinant = AXES.reduce<number>((sum, c) => sum + at(0, c) * cofactor(0, c), 0);
  if (!Number.isFinite(determinant) || Math.abs(determinant) < 1e-12) return undefined;
  const row = (r: 0 | 1 | 2): Row => {
    const [x, y, z] = AXES.map((c) => cofactor(c, r) / determinant);
    const [a, b, c] = [x ?? 0, y ?? 0, z ?? 0];
    return [a, b, c, -(a * matrix[0][3] + b * matrix[1][3] + c * matrix[2][3])];
  };
  return [row(0), row(1), row(2)];
}
