import { layoutLayers, type Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import type { PlacedBox } from "../../components/neighbor-of.ts";
import { smoothPath } from "@weft/shared/drawing/smooth-path.ts";
import type { FoldedEdge, FoldedLineage, FoldedNode } from "./fold-lineage.ts";

export interface LineageBox extends PlacedBox {
  readonly node: FoldedNode;
}

interface LineageLine extends FoldedEdge {
  /** The path in SVG notation. */
  readonly path: string;
}

export interface LineageDrawing {
  readonly boxes: readonly LineageBox[];
  readonly lines: readonly LineageLine[];
  readonly width: number;
  readonly height: number;
}

/** All boxes are equally wide: a line that is bent between two columns then crosses none of them. */
export const BOX = { width: 204, height: 50 };
const MARGIN = 16;
/** The distance between lines that lead back, which are drawn below all boxes. */
const BACK = 12;

/** Places files and jobs in columns from left to right. No line runs behind a box. */
export function drawLineage({ nodes, edges }: FoldedLineage): LineageDrawing {
  const { forward, back } = splitEdges(nodes, edges);
  const layout = layoutLayers(
    nodes.map(({ id }) => ({ id, ...BOX })),
    forward,
  );
  const corner = (id: string): Point => {
    const { x, y } = layout.positions.get(id) ?? { x: 0, y: 0 };
    return { x: x + MARGIN, y: y + MARGIN };
  };
  const boxes = nodes.map((node) => ({ path: node.id, node, depth: 0, ...corner(node.id), ...BOX }));
  const start = (id: string): Point => ({ x: corner(id).x + BOX.width, y: corner(id).y + BOX.height / 2 });
  const end = (id: string): Point => ({ x: corner(id).x, y: corner(id).y + BOX.height / 2 });
  const moved = ({ x, y }: Point): Point => ({ x: x + MARGIN, y: y + MARGIN });
  const lines = forward.map(({ from, to }, place) => ({
    from,
    to,
    path: smoothPath([start(from), ...(layout.bends[place] ?? []).map(moved), end(to)]),
  }));
  const bottom = layout.height + 2 * MARGIN;
  const round = back.map(({ from, to }, place) => ({
    from,
    to,
    path: roundPath(start(from), end(to), bottom + place * BACK),
  }));
  return {
    boxes: boxes.toSorted((a, b) => a.x - b.x || a.y - b.y),
    lines: [...lines, ...round],
    width: layout.width + 2 * MARGIN,
    height: bottom + back.length * BACK,
  };
}

/** Down between two columns, along the lower edge, and up between two others. */
function roundPath(from: Point, to: Point, bottom: number): string {
  return `M${from.x} ${from.y}H${from.x + MARGIN / 2}V${bottom}H${to.x - MARGIN / 2}V${to.y}H${to.x}`;
}

/** Steps of a loop and folded networks may pass files back: those edges close a cycle. */
function splitEdges(nodes: readonly FoldedNode[], edges: readonly FoldedEdge[]) {
  const next = Map.groupBy(edges, ({ from }) => from);
  const back = new Set<FoldedEdge>();
  const state = new Map<string, "open" | "done">();
  for (const { id } of nodes) walk(id, { next, back, state });
  return { forward: edges.filter((edge) => !back.has(edge)), back: [...back] };
}

interface Walk {
  readonly next: ReadonlyMap<string, readonly FoldedEdge[]>;
  readonly back: Set<FoldedEdge>;
  readonly state: Map<string, "open" | "done">;
}

/** Depth first, without recursion: a chain may have thousands of steps. */
function walk(start: string, { next, back, state }: Walk): void {
  if (state.has(start)) return;
  const path = [{ id: start, edges: [...(next.get(start) ?? [])] }];
  state.set(start, "open");
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const edge = top.edges.pop();
    if (edge === undefined) {
      state.set(top.id, "done");
      path.pop();
    } else if (state.get(edge.to) === "open") back.add(edge);
    else if (!state.has(edge.to)) {
      state.set(edge.to, "open");
      path.push({ id: edge.to, edges: [...(next.get(edge.to) ?? [])] });
    }
  }
}

/** A node with all that it was made from and all that was made from it. */
export function relatedTo(id: string, lines: readonly LineageLine[]): ReadonlySet<string> {
  const reached = (here: "from" | "to", there: "from" | "to"): ReadonlySet<string> => {
    const next = Map.groupBy(lines, (line) => line[here]);
    const found = new Set([id]);
    for (const at of found) for (const line of next.get(at) ?? []) found.add(line[there]);
    return found;
  };
  return new Set([...reached("from", "to"), ...reached("to", "from")]);
}
