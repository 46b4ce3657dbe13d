import { assignRanks } from "./assign-ranks.ts";
import { orderLayers } from "./order-layers.ts";
import { placeLayers } from "./place-layers.ts";

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** Upper left corners. */
  readonly positions: ReadonlyMap<string, Point>;
  /** For each edge, in the order of the input, the points where it crosses the columns between its ends. */
  readonly bends: readonly (readonly Point[])[];
  readonly width: number;
  readonly height: number;
}

const COLUMN_GAP = 72;
const ROW_GAP = 22;
/** Height reserved for an edge that crosses a column. */
const BEND_HEIGHT = 10;

/**
 * Draws a directed graph in columns from left to right: ranks by longest path, few crossings, no overlaps. A long edge
 * gets a bend in each column that it crosses. Pure and deterministic.
 */
export function layoutLayers(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Layout {
  const ranks = assignRanks(
    nodes.map(({ id }) => id),
    edges,
  );
  const rankOf = (id: string): number => ranks.get(id) ?? 0;
  const chains = edges.map((edge, index) => chainOf(edge, index, rankOf));
  const segments = chains.flatMap(pairs);
  const layers = orderLayers(buildLayers(nodes, chains, rankOf), segments);
  const heights = new Map(nodes.map(({ id, height }) => [id, height]));
  for (const bend of chains.flatMap((chain) => chain.slice(1, -1))) heights.set(bend, BEND_HEIGHT);
  const centers = placeLayers(layers, heights, segments, ROW_GAP);
  return measure({ nodes, layers, chains, centers });
}

/** The edge's nodes from end to end with a bend for each column between them; backward edges have none. */
function chainOf({ from, to }: LayoutEdge, index: number, rankOf: (id: string) => number): readonly string[] {
  const span = rankOf(to) - rankOf(from);
  const bends = Array.from({ length: Math.max(0, span - 1) }, (_, bend) => `bend ${index} ${rankOf(from) + bend + 1}`);
  return [from, ...bends, to];
}

function pairs(chain: readonly string[]): readonly LayoutEdge[] {
  return chain.slice(1).map((to, place) => ({ from: chain[place] ?? to, to }));
}

function buildLayers(
  nodes: readonly LayoutNode[],
  chains: readonly (readonly string[])[],
  rankOf: (id: string) => number,
): readonly (readonly string[])[] {
  const layers: string[][] = [];
  const put = (rank: number, id: string): void => {
    while (layers.length <= rank) layers.push([]);
    layers[rank]?.push(id);
  };
  for (const { id } of nodes) put(rankOf(id), id);
  for (const chain of chains)
    chain.slice(1, -1).forEach((bend, place) => put(rankOf(chain[0] ?? "") + place + 1, bend));
  return layers;
}

interface Placed {
  readonly nodes: readonly LayoutNode[];
  readonly layers: readonly (readonly string[])[];
  readonly chains: readonly (readonly string[])[];
  readonly centers: ReadonlyMap<string, number>;
}

function measure({ nodes, layers, chains, centers }: Placed): Layout {
  const columns = columnsOf(layers, new Map(nodes.map((node) => [node.id, node.width])));
  const bendIds = chains.flatMap((chain) => chain.slice(1, -1));
  const centerOf = (id: string): number => centers.get(id) ?? 0;
  const top = Math.min(...nodes.map((node) => centerOf(node.id) - node.height / 2), ...bendIds.map(centerOf));
  const bottom = Math.max(...nodes.map((node) => centerOf(node.id) + node.height / 2), ...bendIds.map(centerOf));
  const columnOf = (id: string): Column => columns.get(id) ?? { left: 0, width: 0 };
  const corner = (node: LayoutNode): Point => ({
    x: columnOf(node.id).left + (columnOf(node.id).width - node.width) / 2,
    y: centerOf(node.id) - node.height / 2 - top,
  });
  // A bend is as wide as its column, so that the edge crosses it in a straight line.
  const bend = (id: string): readonly Point[] =>
    [0, columnOf(id).width].map((dx) => ({ x: columnOf(id).left + dx, y: centerOf(id) - top }));
  return {
    positions: new Map(nodes.map((node) => [node.id, corner(node)])),
    bends: chains.map((chain) => chain.slice(1, -1).flatMap(bend)),
    width: Math.max(0, ...[...columns.values()].map(({ left, width }) => left + width)),
    height: nodes.length === 0 ? 0 : bottom - top,
  };
}

interface Column {
  readonly left: number;
  readonly width: number;
}

/** The column of each node and bend. */
function columnsOf(
  layers: readonly (readonly string[])[],
  widths: ReadonlyMap<string, number>,
): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  let left = 0;
  for (const layer of layers) {
    const column = { left, width: Math.max(...layer.map((id) => widths.get(id) ?? 0)) };
    for (const id of layer) columns.set(id, column);
    left += column.width + COLUMN_GAP;
  }
  return columns;
}
