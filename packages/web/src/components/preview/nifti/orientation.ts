import type { Affine, NiftiHeader } from "@weft/shared/image/nifti-header.ts";

/** The voxel axis that runs along an axis of the body, and whether it runs in the opposite direction. */
export interface BodyAxis {
  readonly voxelAxis: 0 | 1 | 2;
  readonly flipped: boolean;
  readonly length: number;
  readonly spacing: number;
}

/** Left to Right, Posterior to Anterior, Inferior to Superior, as close as whole axes allow. */
export interface Orientation {
  readonly axes: readonly [BodyAxis, BodyAxis, BodyAxis];
  /** False if the file does not define its orientation; the axes are then those of the file. */
  readonly known: boolean;
}

/** The orientation of an image: each axis of the body maps to the voxel axis closest to it. */
export function orientationOf({
  affine,
  size,
  spacing,
}: Pick<NiftiHeader, "affine" | "size" | "spacing">): Orientation {
  const matched = affine === undefined ? undefined : matchAxes(affine);
  const axis = (n: 0 | 1 | 2): BodyAxis => {
    const { voxelAxis, flipped } = matched?.[n] ?? { voxelAxis: n, flipped: false };
    return { voxelAxis, flipped, length: size[voxelAxis], spacing: spacing[voxelAxis] };
  };
  return { axes: [axis(0), axis(1), axis(2)], known: matched !== undefined };
}

type Match = Pick<BodyAxis, "voxelAxis" | "flipped">;
const AXES = [0, 1, 2] as const;
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Matches voxel axes to body axes; undefined for an invalid matrix, with NaN or an axis without a direction. */
function matchAxes(affine: Affine): readonly [Match, Match, Match] | undefined {
  const lengths = AXES.map((column) => Math.hypot(...affine.map((row) => row[column])));
  if (lengths.some((length) => !(length > 0 && Number.isFinite(length)))) return undefined;
  const along = (row: 0 | 1 | 2, column: 0 | 1 | 2): number => affine[row][column] / (lengths[column] ?? 1);
  const fit = (order: (typeof ORDERS)[number]): number =>
    AXES.map((row) => Math.abs(along(row, order[row]))).reduce((sum, part) => sum + part);
  const [best] = ORDERS.toSorted((a, b) => fit(b) - fit(a));
  if (best === undefined) return undefined;
  const match = (row: 0 | 1 | 2): Match => ({ voxelAxis: best[row], flipped: along(row, best[row]) < 0 });
  return [match(0), match(1), match(2)];
}

/** Converts a position in the body's axes to one in the file. */
export function toVoxel({ axes }: Orientation, place: readonly [number, number, number]): [number, number, number] {
  const voxel: [number, number, number] = [0, 0, 0];
  for (const [n, axis] of axes.entries()) {
    const at = place[n] ?? 0;
    voxel[axis.voxelAxis] = axis.flipped ? axis.length - 1 - at : at;
  }
  return voxel;
}

/** Converts a voxel of the file to a position in the body's axes. */
export function toPlace({ axes }: Orientation, voxel: readonly number[]): readonly [number, number, number] {
  const [right, anterior, superior] = axes.map(({ voxelAxis, flipped, length }) => {
    const at = voxel[voxelAxis] ?? 0;
    return flipped ? length - 1 - at : at;
  });
  return [right ?? 0, anterior ?? 0, superior ?? 0];
}

/** Millimeters to the right, to the front and up. */
export function toWorld(affine: Affine, [i, j, k]: readonly [number, number, number]): [number, number, number] {
  const [x, y, z] = affine.map((row) => row[0] * i + row[1] * j + row[2] * k + row[3]);
  return [x ?? 0, y ?? 0, z ?? 0];
}
