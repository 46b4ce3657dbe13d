import { neighbors, type Neighbors } from "./assign-ranks.ts";
import type { LayoutEdge } from "./layout-layers.ts";

const SWEEPS = 24;

/**
 * Orders the nodes within each column so that few edges cross: repeated sweeps put every node at the mean position of
 * its neighbors, and the best order found wins. Edges must join adjacent columns. Deterministic.
 */
export function orderLayers(
  layers: readonly (readonly string[])[],
  edges: readonly LayoutEdge[],
): readonly (readonly string[])[] {
  const before = neighbors(edges, "to", "from");
  const after = neighbors(edges, "from", "to");
  let now = layers;
  let best = { layers: now, crossings: countCrossings(now, after) };
  for (let sweep = 0; sweep < SWEEPS && best.crossings > 0; sweep += 1) {
    now = sweep % 2 === 0 ? sweepLayers(now, before, "forward") : sweepLayers(now, after, "backward");
    const crossings = countCrossings(now, after);
    if (crossings < best.crossings) best = { layers: now, crossings };
  }
  return best.layers;
}

function sweepLayers(
  layers: readonly (readonly string[])[],
  beside: Neighbors,
  direction: "forward" | "backward",
): string[][] {
  const result = layers.map((layer) => [...layer]);
  const columns = result.map((_, column) => column);
  if (direction === "backward") columns.reverse();
  for (const column of columns.slice(1)) {
    const fixed = result[direction === "forward" ? column - 1 : column + 1] ?? [];
    const places = new Map(fixed.map((id, place) => [id, place]));
    result[column] = sortByMean(result[column] ?? [], places, beside);
  }
  return result;
}

function sortByMean(layer: readonly string[], places: ReadonlyMap<string, number>, beside: Neighbors): string[] {
  const means = new Map(layer.map((id, place) => [id, mean(beside.get(id) ?? [], places) ?? place]));
  return [...layer].sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0));
}

function mean(ids: readonly string[], places: ReadonlyMap<string, number>): number | undefined {
  const known = ids.flatMap((id) => places.get(id) ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, place) => sum + place, 0) / known.length;
}

/** Number of pairs of edges that cross, counted column by column with a Fenwick tree. */
export function countCrossings(layers: readonly (readonly string[])[], after: Neighbors): number {
  let crossings = 0;
  for (const [column, layer] of layers.entries()) {
    const places = new Map((layers[column + 1] ?? []).map((id, place) => [id, place]));
    const ends = layer.flatMap((id) =>
      (after.get(id) ?? []).flatMap((to) => places.get(to) ?? []).sort((a, b) => a - b),
    );
    crossings += countInversions(ends, places.size);
  }
  return crossings;
}

function countInversions(values: readonly number[], size: number): number {
  const tree = Array.from({ length: size + 1 }, () => 0);
  let inversions = 0;
  for (const [seen, value] of values.entries()) {
    let notAbove = 0;
    for (let at = value + 1; at > 0; at -= at & -at) notAbove += tree[at] ?? 0;
    inversions += seen - notAbove;
    for (let at = value + 1; at <= size; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
  }
  return inversions;
}
