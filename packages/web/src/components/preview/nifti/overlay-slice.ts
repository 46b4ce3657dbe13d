import type { Affine } from "@weft/shared/image/nifti-header.ts";
import { toPlace, toVoxel } from "./orientation.ts";
import { type Place, type Plane, type Slice, type Volume, type Window, PLANE_AXES } from "./volume.ts";

/** Label colors that people with color blindness can tell apart (Okabe and Ito). */
const LABELS = [
  [213, 94, 0],
  [86, 180, 233],
  [0, 158, 115],
  [240, 228, 66],
  [204, 121, 167],
  [0, 114, 178],
  [230, 159, 0],
] as const;

export interface Overlay {
  readonly volume: Volume;
  /** Maps positions in the base image to positions in the overlay. */
  readonly link: PlaceLink;
  readonly window: Window;
  /** A small set of whole numbers gets one color each. Otherwise values run from red to yellow. */
  readonly isLabels: boolean;
}

const AXES = [0, 1, 2] as const;

export function createOverlay(volume: Volume, link: PlaceLink): Overlay {
  return { volume, link, window: volume.usualWindow(), isLabels: volume.isLabels() };
}

/** The overlay of a slice of the base image, one pixel per voxel; transparent where the overlay is empty. */
export function overlaySlice(
  { volume, link, window, isLabels }: Overlay,
  below: Volume,
  { plane, at }: { readonly plane: Plane; readonly at: number },
): Slice {
  const [across, up, through] = PLANE_AXES[plane];
  const { axes } = below.orientation;
  const [width, height] = [axes[across].length, axes[up].length];
  const pixels = new Uint8ClampedArray(width * height * 4);
  const place: [number, number, number] = [0, 0, 0];
  place[through] = at;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      place[across] = x;
      place[up] = height - 1 - y;
      const there = link(place);
      if (there === undefined) continue;
      const color = colorOf(volume.valueAt(there, 0), window, isLabels);
      if (color !== undefined) pixels.set([...color, 255], (y * width + x) * 4);
    }
  return { width, height, pixels };
}

/** The color of an overlay value; undefined for background. */
export function colorOf(
  value: number,
  { black, white }: Window,
  isLabels: boolean,
): readonly [number, number, number] | undefined {
  if (!Number.isFinite(value) || value === 0) return undefined;
  if (isLabels) return LABELS[(Math.abs(Math.round(value)) - 1) % LABELS.length];
  const share = (value - black) / (white - black || 1);
  return share <= 0 ? undefined : [255, Math.min(255, Math.round(share * 255)), 0];
}

/** Maps positions in one image to positions in another. */
type PlaceLink = (place: Place) => Place | undefined;

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

function product(a: Affine, b: Affine): Affine {
  const row = (r: 0 | 1 | 2): Row => {
    const [x, y, z, shift] = a[r];
    const at = (c: 0 | 1 | 2 | 3): number => x * b[0][c] + y * b[1][c] + z * b[2][c] + (c === 3 ? shift : 0);
    return [at(0), at(1), at(2), at(3)];
  };
  return [row(0), row(1), row(2)];
}

/** The inverse of a matrix; undefined for a singular one. */
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
