import { neighbors, type Neighbors } from "./assign-ranks.ts";
import type { LayoutEdge } from "./layout-layers.ts";

const PASSES = 12;

/**
 * The vertical center of each node: as near as possible to its neighbors' centers while the nodes of a column keep
 * their order and do not overlap (least squares by pooling adjacent violators).
 */
export function placeLayers(
  layers: readonly (readonly string[])[],
  heights: ReadonlyMap<string, number>,
  edges: readonly LayoutEdge[],
  gap: number,
): ReadonlyMap<string, number> {
  const centers = new Map<string, number>();
  for (const layer of layers)
    stack(layer, heights, gap).forEach((center, place) => centers.set(layer[place] ?? "", center));
  const beside = { before: neighbors(edges, "to", "from"), after: neighbors(edges, "from", "to") };
  for (let pass = 0; pass < PASSES; pass += 1) {
    const isForward = pass % 2 === 0;
    for (const layer of isForward ? layers : layers.toReversed()) {
      const preferred = layer.map((id) => wantedCenter(id, isForward ? beside.before : beside.after, centers));
      alignLayer(preferred, stack(layer, heights, gap)).forEach((center, place) =>
        centers.set(layer[place] ?? "", center),
      );
    }
  }
  return centers;
}

/** Centers of nodes stacked from zero. */
function stack(layer: readonly string[], heights: ReadonlyMap<string, number>, gap: number): readonly number[] {
  let top = 0;
  return layer.map((id) => {
    const height = heights.get(id) ?? 0;
    const center = top + height / 2;
    top += height + gap;
    return center;
  });
}

function wantedCenter(id: string, beside: Neighbors, centers: ReadonlyMap<string, number>): number {
  const known = (beside.get(id) ?? []).map((other) => centers.get(other) ?? 0).sort((a, b) => a - b);
  if (known.length === 0) return centers.get(id) ?? 0;
  const middle = (known.length - 1) / 2;
  return ((known[Math.floor(middle)] ?? 0) + (known[Math.ceil(middle)] ?? 0)) / 2;
}

interface Block {
  sum: number;
  count: number;
}

/** The positions nearest to `preferred` whose distances are at least those of `stacked`. */
export function alignLayer(preferred: readonly number[], stacked: readonly number[]): readonly number[] {
  const blocks: Block[] = [];
  for (const [place, center] of preferred.entries()) {
    let block: Block = { sum: center - (stacked[place] ?? 0), count: 1 };
    for (
      let last = blocks.at(-1);
      last !== undefined && last.sum / last.count > block.sum / block.count;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  const shifts = blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return stacked.map((center, place) => center + (shifts[place] ?? 0));
}
