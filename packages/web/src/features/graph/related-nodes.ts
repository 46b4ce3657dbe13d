import type { Drawing, EdgeLine } from "@weft/shared/drawing/draw-network.ts";

/** What a node depends on and what depends on it, with the lines between. */
export interface Related {
  readonly paths: ReadonlySet<string>;
  readonly lines: ReadonlySet<EdgeLine>;
}

/**
 * Everything before and after a node along the lines, with the node itself and the networks that hold it. The way leads out of an unfolded network by its
 * inputs and outputs; a network on the way counts with all that it holds.
 */
export function relatedNodes(drawing: Drawing, selected: string): Related {
  const paths = new Set<string>([selected]);
  const lines = new Set<EdgeLine>();
  walk(drawing.lines, { selected, here: "to", there: "from", border: "input:" }, { paths, lines });
  walk(drawing.lines, { selected, here: "from", there: "to", border: "output:" }, { paths, lines });
  const frames = drawing.boxes
    .filter(({ path, expanded }) => expanded && paths.has(path))
    .map(({ path }) => `${path}/`);
  for (const { path } of drawing.boxes) if (frames.some((frame) => path.startsWith(frame))) paths.add(path);
  for (const path of [...paths]) for (const frame of framesOf(path)) paths.add(frame);
  return { paths, lines };
}

/** Paths of the networks that hold a node. */
function framesOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, cut) => parts.slice(0, cut + 1).join("/"));
}

interface Walk {
  readonly selected: string;
  /** The end of a line that the way comes from, and the one that it leads to. */
  readonly here: "from" | "to";
  readonly there: "from" | "to";
  /** Ids of the nodes by which the way leaves a network. */
  readonly border: string;
}

function walk(
  all: readonly EdgeLine[],
  { selected, here, there, border }: Walk,
  found: { readonly paths: Set<string>; readonly lines: Set<EdgeLine> },
): void {
  const linesAt = Map.groupBy(all, (line) => line[here]);
  const seen = new Set([selected]);
  for (const path of seen) {
    found.paths.add(path);
    for (const line of linesAt.get(path) ?? []) {
      found.lines.add(line);
      seen.add(line[there]);
    }
    const cut = path.lastIndexOf("/");
    if (cut < 0 || !path.startsWith(border, cut + 1)) continue;
    // The way leaves a network: it continues where the network's frame has the same port.
    const port = path.slice(cut + 1 + border.length);
    for (const line of linesAt.get(path.slice(0, cut)) ?? [])
      if (line.ports.some((pair) => pair[here] === port)) {
        found.lines.add(line);
        seen.add(line[there]);
      }
  }
}
