import type { LayoutEdge } from "./layout-layers.ts";

/**
 * The column of each node: one to the right of its furthest predecessor; nodes without predecessors are directly left
 * of their first successor. Ignores edges that close a cycle, so that every graph gets a layout.
 */
export function assignRanks(ids: readonly string[], edges: readonly LayoutEdge[]): ReadonlyMap<string, number> {
  const next = neighbors(edges, "from", "to");
  const ranks = new Map<string, number>();
  for (const id of topologicalOrder(ids, next)) {
    const rank = ranks.get(id) ?? 0;
    ranks.set(id, rank);
    for (const to of next.get(id) ?? []) ranks.set(to, Math.max(ranks.get(to) ?? 0, rank + 1));
  }
  return pullSources(ranks, next, edges);
}

export type Neighbors = ReadonlyMap<string, readonly string[]>;

/** The nodes at the `other` ends of edges, by the nodes at their ends `of`. */
export function neighbors(edges: readonly LayoutEdge[], of: "from" | "to", other: "from" | "to"): Neighbors {
  const groups = Map.groupBy(edges, (edge) => edge[of]);
  return new Map([...groups].map(([id, group]) => [id, group.map((edge) => edge[other])]));
}

/** Nodes in topological order (Kahn's algorithm). Nodes on a cycle come last, in the order of `ids`. */
function topologicalOrder(ids: readonly string[], next: Neighbors): readonly string[] {
  const open = new Map(ids.map((id) => [id, 0]));
  for (const list of next.values()) for (const to of list) open.set(to, (open.get(to) ?? 0) + 1);
  const order = ids.filter((id) => open.get(id) === 0);
  for (let at = 0; at < order.length; at += 1) {
    for (const to of next.get(order[at] ?? "") ?? []) {
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) order.push(to);
    }
  }
  return order; // nodes on a cycle are ranked by their predecessors outside it
}

function pullSources(
  ranks: Map<string, number>,
  next: Neighbors,
  edges: readonly LayoutEdge[],
): ReadonlyMap<string, number> {
  const targets = new Set(edges.map(({ to }) => to));
  for (const [id, rank] of ranks) {
    if (targets.has(id)) continue;
    const nearest = Math.min(...(next.get(id) ?? []).map((to) => ranks.get(to) ?? 0));
    if (Number.isFinite(nearest)) ranks.set(id, Math.max(rank, nearest - 1));
  }
  return ranks;
}
