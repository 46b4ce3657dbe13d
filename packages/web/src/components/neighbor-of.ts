import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";

export type Direction = "left" | "right" | "up" | "down";

/** A node with its place in a drawing. `path` is unique; boxes of one `depth` are in the same frame. */
export interface PlacedBox extends Point {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

interface PlacedGraph<Box extends PlacedBox> {
  readonly boxes: readonly Box[];
  /** Paths of the boxes at both ends. */
  readonly lines: readonly { readonly from: string; readonly to: string }[];
}

/**
 * The node that lies in a direction of another one: left and right along the lines, the nearest in height first; up and
 * down the next one of the same column.
 */
export function neighborOf<Box extends PlacedBox>(
  drawing: PlacedGraph<Box>,
  path: string,
  direction: Direction,
): Box | undefined {
  const from = drawing.boxes.find((box) => box.path === path);
  if (from === undefined) return undefined;
  const middle = (box: PlacedBox): number => box.y + box.height / 2;
  const distance = (box: PlacedBox): number => Math.abs(middle(box) - middle(from));
  return candidates(drawing, from, direction).reduce<Box | undefined>(
    (best, box) => (best === undefined || distance(box) < distance(best) ? box : best),
    undefined,
  );
}

function candidates<Box extends PlacedBox>(
  { boxes, lines }: PlacedGraph<Box>,
  from: Box,
  direction: Direction,
): readonly Box[] {
  const middleOf = (box: PlacedBox): number => box.x + box.width / 2;
  const among = (paths: readonly string[]): readonly Box[] => {
    const wanted = new Set(paths);
    return boxes.filter(({ path }) => wanted.has(path));
  };
  switch (direction) {
    case "left":
      return among(lines.flatMap((line) => (line.to === from.path ? [line.from] : [])));
    case "right":
      return among(lines.flatMap((line) => (line.from === from.path ? [line.to] : [])));
    case "up":
    case "down":
      return boxes.filter(
        (box) =>
          box.depth === from.depth &&
          Math.abs(middleOf(box) - middleOf(from)) < 1 &&
          (direction === "up" ? box.y < from.y : box.y > from.y),
      );
  }
}
