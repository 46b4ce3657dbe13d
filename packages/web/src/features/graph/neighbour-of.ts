import type { Drawing, NodeBox } from "@weft/shared/drawing/draw-network.ts";

export type Direction = "left" | "right" | "up" | "down";

/**
 * The node that lies in a direction of another one: left and right along the lines, the nearest in height first; up and
 * down the next one of the same column.
 */
export function neighbourOf(drawing: Drawing, path: string, direction: Direction): NodeBox | undefined {
  const from = drawing.boxes.find((box) => box.path === path);
  if (from === undefined) return undefined;
  const middle = (box: NodeBox): number => box.y + box.height / 2;
  const distance = (box: NodeBox): number => Math.abs(middle(box) - middle(from));
  return candidates(drawing, from, direction).reduce<NodeBox | undefined>(
    (best, box) => (best === undefined || distance(box) < distance(best) ? box : best),
    undefined,
  );
}

function candidates(drawing: Drawing, from: NodeBox, direction: Direction): readonly NodeBox[] {
  const middleOf = (box: NodeBox): number => box.x + box.width / 2;
  switch (direction) {
    case "left":
      return joined(
        drawing,
        drawing.lines.flatMap((line) => (line.to === from.path ? [line.from] : [])),
      );
    case "right":
      return joined(
        drawing,
        drawing.lines.flatMap((line) => (line.from === from.path ? [line.to] : [])),
      );
    case "up":
    case "down":
      return drawing.boxes.filter(
        (box) =>
          box.depth === from.depth &&
          Math.abs(middleOf(box) - middleOf(from)) < 1 &&
          (direction === "up" ? box.y < from.y : box.y > from.y),
      );
  }
}

function joined(drawing: Drawing, paths: readonly string[]): readonly NodeBox[] {
  const wanted = new Set(paths);
  return drawing.boxes.filter((box) => wanted.has(box.path));
}
