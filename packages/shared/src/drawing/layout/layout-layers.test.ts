import assert from "node:assert/strict";
import { test } from "node:test";
import { layoutLayers, type Layout, type LayoutEdge, type LayoutNode } from "./layout-layers.ts";

/** A reproducible graph of `count` nodes in which every node depends on one to three earlier ones. */
function grow(count: number, seed: number): { nodes: LayoutNode[]; edges: LayoutEdge[] } {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const nodes = Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    width: 120 + random(80),
    height: 40 + random(60),
  }));
  const edges = nodes
    .slice(1)
    .flatMap(({ id }, n) => Array.from({ length: 1 + random(3) }, () => ({ from: `n${random(n + 1)}`, to: id })));
  return { nodes, edges };
}

function overlaps(nodes: readonly LayoutNode[], layout: Layout): string[] {
  const boxes = nodes.map((node) => ({
    ...node,
    ...(layout.positions.get(node.id) ?? { x: Number.NaN, y: Number.NaN }),
  }));
  return boxes.flatMap((a, n) =>
    boxes
      .slice(n + 1)
      .filter(
        (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height - 1e-6 && b.y < a.y + a.height - 1e-6,
      )
      .map((b) => `${a.id} ${b.id}`),
  );
}

test("no nodes overlap, edges run left to right, the drawing starts at zero", () => {
  for (const [count, seed] of [
    [1, 1],
    [2, 5],
    [12, 7],
    [60, 11],
    [150, 3],
  ] as const) {
    const { nodes, edges } = grow(count, seed);
    const layout = layoutLayers(nodes, edges);
    assert.deepEqual(overlaps(nodes, layout), [], `${count} nodes`);
    for (const { from, to } of edges)
      assert.ok((layout.positions.get(from)?.x ?? 0) < (layout.positions.get(to)?.x ?? 0), `${from} ${to}`);
    const corners = [...layout.positions.values()];
    assert.ok(Math.min(...corners.map(({ x, y }) => Math.min(x, y))) >= -1e-6);
    assert.ok(nodes.every((node) => (layout.positions.get(node.id)?.y ?? 0) + node.height <= layout.height + 1e-6));
  }
});

test("draws equal graphs in the same way", () => {
  const { nodes, edges } = grow(40, 9);
  assert.deepEqual(layoutLayers(nodes, edges), layoutLayers(nodes, edges));
});

test("a long edge passes each column between its ends", () => {
  const nodes = ["a", "b", "c", "d"].map((id) => ({ id, width: 100, height: 40 }));
  const edges = [
    ["a", "b"],
    ["b", "c"],
    ["c", "d"],
    ["a", "d"],
  ].map(([from = "", to = ""]) => ({ from, to }));
  const { bends } = layoutLayers(nodes, edges);
  assert.deepEqual(
    bends.map((points) => points.length),
    [0, 0, 0, 4],
  );
  assert.ok((bends[3] ?? []).every((point, n, all) => n === 0 || point.x > (all[n - 1]?.x ?? 0)));
});

test("a source is placed next to its consumer", () => {
  const nodes = ["in", "a", "b", "late"].map((id) => ({ id, width: 100, height: 40 }));
  const edges = [
    ["in", "a"],
    ["a", "b"],
    ["late", "b"],
  ].map(([from = "", to = ""]) => ({ from, to }));
  const { positions } = layoutLayers(nodes, edges);
  assert.equal(positions.get("late")?.x, positions.get("a")?.x);
});

test("empty graphs, unconnected nodes and cycles have a drawing", () => {
  assert.deepEqual(layoutLayers([], []), { positions: new Map(), bends: [], width: 0, height: 0 });
  const nodes = ["a", "b", "c"].map((id) => ({ id, width: 100, height: 40 }));
  assert.deepEqual(overlaps(nodes, layoutLayers(nodes, [])), []);
  const circle = [
    ["a", "b"],
    ["b", "c"],
    ["c", "b"],
  ].map(([from = "", to = ""]) => ({ from, to }));
  assert.deepEqual(overlaps(nodes, layoutLayers(nodes, circle)), []);
});
