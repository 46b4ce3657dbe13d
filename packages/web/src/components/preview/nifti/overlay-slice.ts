import type { PlaceLink } from "./linked-place.ts";
import { PLANE_AXES, type Plane, type Slice, type Volume, type Window } from "./volume.ts";

/** Label colours that people with colour blindness can tell apart (Okabe and Ito). */
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
  /** From places of the base image to those of the overlay. */
  readonly link: PlaceLink;
  readonly window: Window;
  /** A small set of whole numbers gets one colour each. Otherwise values run from red to yellow. */
  readonly isLabels: boolean;
}

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
      const colour = colourOf(volume.valueAt(there, 0), window, isLabels);
      if (colour !== undefined) pixels.set([...colour, 255], (y * width + x) * 4);
    }
  return { width, height, pixels };
}

/** Undefined for background. */
export function colourOf(
  value: number,
  { black, white }: Window,
  isLabels: boolean,
): readonly [number, number, number] | undefined {
  if (!Number.isFinite(value) || value === 0) return undefined;
  if (isLabels) return LABELS[(Math.abs(Math.round(value)) - 1) % LABELS.length];
  const share = (value - black) / (white - black || 1);
  return share <= 0 ? undefined : [255, Math.min(255, Math.round(share * 255)), 0];
}
