import type { Drawing, EdgeLine } from "@weft/shared/drawing/draw-network.ts";

/** The nodes that a node depends on and those that depend on it, with the edges between them. */
export interface Related {
  readonly paths: ReadonlySet<string>;
  readonly lines: ReadonlySet<EdgeLine>;
}

/**
 * All nodes upstream and downstream of a node, with the node itself and the networks that contain it. Paths leave an
 * expanded network through its inputs and outputs; a network on a path counts with all its contents.
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

/** Paths of the networks that contain a node. */
function framesOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, cut) => parts.slice(0, cut + 1).join("/"));
}

interface Walk {
  readonly selected: string;
  /** The end of an edge where the search arrives, and the end to which it continues. */
  readonly here: "from" | "to";
  readonly there: "from" | "to";
  /** Ids of the nodes through which the search leaves a network. */
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
    // A search that leaves a network continues at the same port of the network's frame.
    const port = path.slice(cut + 1 + border.length);
    for (const line of linesAt.get(path.slice(0, cut)) ?? [])
      if (line.ports.some((pair) => pair[here] === port)) {
        found.lines.add(line);
        seen.add(line[there]);
      }
  }
}
