import type { NiftiHeader } from "@weft/shared/image/nifti-header.ts";
import { orientationOf } from "./orientation.ts";

/** The content of a header in plain words. */
export function headerFacts(header: NiftiHeader): readonly (readonly [string, string])[] {
  const { version, size, volumes, spacing, unit, type, slope, intercept, description } = header;
  return [
    ["Format", `NIfTI-${version}, ${header.littleEndian ? "little" : "big"}-endian`],
    ["Voxels", `${size.join(" × ")}${volumes > 1 ? `, ${volumes} volumes` : ""}`],
    ["Voxel size", `${spacing.map((value) => Number(value.toPrecision(4))).join(" × ")} ${unit}`],
    ["Values", slope === 1 && intercept === 0 ? type.name : `${type.name}, scaled by ${slope}, offset ${intercept}`],
    ["Orientation (i, j, k)", orientationText(header)],
    ...(description === "" ? [] : [["Description", description] as const]),
  ];
}

const WAYS = [
  ["right", "left"],
  ["front", "back"],
  ["top", "bottom"],
] as const;

/** `right, front, top` for an image stored as RAS. */
function orientationText(header: NiftiHeader): string {
  const { axes, known } = orientationOf(header);
  if (!known) return "not specified";
  const ways = [0, 1, 2].map((voxelAxis) => {
    const n = axes.findIndex((axis) => axis.voxelAxis === voxelAxis);
    return WAYS[n]?.[axes[n]?.flipped === true ? 1 : 0] ?? "";
  });
  return ways.join(", ");
}
