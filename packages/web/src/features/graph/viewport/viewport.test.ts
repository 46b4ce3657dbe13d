import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import { graphEdge, graphNode } from "../../../testing/graph-record.ts";
import { stepProgress } from "../step-progress.ts";
import { centerOn, firstView, fitTo, reveal, startOf, visiblePart, zoomAt } from "./viewport.ts";

const drawing = drawNetwork(
  {
    nodes: ["input:in", "step:a", "step:b", "step:c"].map((id) => graphNode(id)),
    edges: [graphEdge("input:in", "step:a", "in"), graphEdge("step:a", "step:b"), graphEdge("step:b", "step:c")],
  },
  new Set(),
);

test("zoomAt keeps the point under the cursor", () => {
  const before = { x: 10, y: 20, scale: 1 };
  const after = zoomAt(before, { x: 110, y: 220 }, 2);
  assert.deepEqual(after, { x: -90, y: -180, scale: 2 });
  assert.equal(zoomAt(before, { x: 0, y: 0 }, 1000).scale, 2.5);
  assert.equal(zoomAt(before, { x: 0, y: 0 }, 0.0001).scale, 0.02);
});

test("fitTo centers and hardly enlarges", () => {
  assert.deepEqual(fitTo({ width: 100, height: 100 }, { width: 500, height: 300 }), { x: 185, y: 85, scale: 1.3 });
  const large = fitTo({ width: 2000, height: 100 }, { width: 1048, height: 600 });
  assert.deepEqual([large.scale, large.x], [0.482, 24], "the buttons at the right cover no node");
});

test("firstView shows the whole drawing if its names are legible, else its start", () => {
  const screen = { width: 348, height: 400 };
  const start = { x: 1000, y: 180, width: 200, height: 40 };
  assert.deepEqual(firstView({ width: 350, height: 100 }, screen, start), fitTo({ width: 350, height: 100 }, screen));
  assert.equal(firstView({ width: 400, height: 100 }, screen, start).scale, 264 / 400);
  const view = firstView({ width: 1400, height: 400 }, screen, start);
  assert.equal(view.scale * 13 >= 11, true, "the smallest label has 13 pixels in the drawing");
  assert.deepEqual(view, { x: -761, y: 30, scale: 0.85 });
  const atTheEnd = firstView({ width: 1400, height: 400 }, screen, { ...start, x: 1200 });
  assert.equal(atTheEnd.x + 1400 * 0.85, screen.width - 60);
});

test("reveal moves no more than needed", () => {
  const view = { x: 0, y: 0, scale: 1 };
  const screen = { width: 400, height: 300 };
  assert.equal(reveal(view, { x: 50, y: 50, width: 100, height: 50 }, screen), view);
  assert.deepEqual(reveal(view, { x: 500, y: 50, width: 100, height: 50 }, screen), { x: -260, y: 0, scale: 1 });
  assert.deepEqual(reveal(view, { x: -50, y: -10, width: 100, height: 50 }, screen), { x: 74, y: 34, scale: 1 });
});

test("centerOn puts a box into the middle, at a readable scale", () => {
  const screen = { width: 400, height: 300 };
  const view = centerOn({ x: 0, y: 0, scale: 0.1 }, { x: 1000, y: 500, width: 200, height: 60 }, screen);
  assert.deepEqual(view, { x: -735, y: -300.5, scale: 0.85 });
  assert.deepEqual(visiblePart({ x: -350, y: -115, scale: 0.5 }, screen), { x: 700, y: 230, width: 800, height: 600 });
});

test("a drawing begins at the step that failed first, else at the first step", () => {
  assert.equal(startOf(drawing, () => undefined)?.path, "a");
  const failed = { job_counts: { EXECUTOR_ERROR: 1 }, jobs_total: 1, jobs_total_is_final: true, jobs_cached: 0 };
  const counts = [
    { ...failed, step: "c" },
    { ...failed, step: "b" },
  ];
  assert.equal(startOf(drawing, (step) => stepProgress(counts, step ?? ""))?.path, "b");
});
