import { PLANE_AXES, type Plane, type Slice, type Volume } from "./volume.ts";

/** Side of the square that each plane fits in. */
export const PLANE_PX = 72;

/** The three planes through the initial position, side by side: small enough to keep many pictures. */
export function planesPicture(volume: Volume): Slice {
  const planes = Object.keys(PLANE_AXES) as Plane[]; // the keys of a Record over Plane
  const [width, height] = [PLANE_PX * planes.length, PLANE_PX];
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  const place = volume.startPlace();
  const window = volume.usualWindow();
  const extent = (axis: 0 | 1 | 2): number =>
    volume.orientation.axes[axis].length * volume.orientation.axes[axis].spacing;
  const scale = PLANE_PX / Math.max(extent(0), extent(1), extent(2));
  planes.forEach((plane, number) => {
    const [across, up, through] = PLANE_AXES[plane];
    const slice = volume.slice(plane, place[through], { volume: 0, window });
    const shown = [across, up].map((axis) => Math.max(1, Math.round(extent(axis) * scale)));
    paint(slice, { pixels, width, left: number * PLANE_PX, size: [shown[0] ?? 1, shown[1] ?? 1] });
  });
  return { width, height, pixels };
}

interface Target {
  readonly pixels: Uint8ClampedArray;
  readonly width: number;
  readonly left: number;
  readonly size: readonly [number, number];
}

/** Draws a slice in the middle of its square with nearest-neighbor sampling. */
function paint(slice: Slice, { pixels, width, left, size: [across, down] }: Target): void {
  const [fromX, fromY] = [left + Math.floor((PLANE_PX - across) / 2), Math.floor((PLANE_PX - down) / 2)];
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < across; x += 1) {
      const source =
        Math.floor(((y + 0.5) * slice.height) / down) * slice.width + Math.floor(((x + 0.5) * slice.width) / across);
      const target = ((fromY + y) * width + fromX + x) * 4;
      for (let part = 0; part < 3; part += 1) pixels[target + part] = slice.pixels[source * 4 + part] ?? 0;
    }
}
