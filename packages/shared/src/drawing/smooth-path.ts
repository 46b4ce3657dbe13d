import type { Point } from "./layout/layout-layers.ts";

/** A curve in SVG path syntax that passes through each point horizontally. */
export function smoothPath(points: readonly Point[]): string {
  return points
    .map((point, place) => {
      const before = points[place - 1];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (before.y === point.y) return `H${point.x}`;
      const middle = (before.x + point.x) / 2;
      return `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    })
    .join("");
}
