import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import { graphEdge as edge, graphNode as node } from "../../testing/graph-record.ts";
import { relatedNodes } from "./related-nodes.ts";

const inner: GraphRecord = {
  nodes: ["input:image", "input:mask", "step:smooth", "step:cut", "output:smoothed"].map((id) => node(id, "each/")),
  edges: [
    edge("input:image", "step:smooth", "image", "image"),
    edge("input:mask", "step:cut", "mask", "mask"),
    edge("step:smooth", "output:smoothed", "out", "smoothed"),
  ],
};
const graph: GraphRecord = {
  nodes: [
    { ...node("step:each"), graph: inner },
    ...["input:images", "input:masks", "step:join", "step:other", "output:report"].map((id) => node(id)),
  ],
  edges: [
    edge("input:images", "step:each", "images", "image"),
    edge("input:masks", "step:each", "masks", "mask"),
    edge("step:each", "step:join", "smoothed", "images"),
    edge("input:images", "step:other", "images", "images"),
    edge("step:join", "output:report", "report", "report"),
  ],
};

test("only nodes upstream and downstream of a node are related to it", () => {
  const { paths, lines } = relatedNodes(drawNetwork(graph, new Set()), "join");
  assert.deepEqual([...paths].toSorted(), ["each", "input:images", "input:masks", "join", "output:report"]);
  assert.equal(lines.size, 4);
});

test("a path leaves an expanded network by the ports that it uses", () => {
  const { paths } = relatedNodes(drawNetwork(graph, new Set(["each"])), "each/smooth");
  const within = ["each/input:image", "each/output:smoothed", "each/smooth"];
  assert.deepEqual([...paths].toSorted(), ["each", ...within, "input:images", "join", "output:report"]);
});

test("an expanded network on a path counts with all its contents", () => {
  const { paths } = relatedNodes(drawNetwork(graph, new Set(["each"])), "input:masks");
  assert.ok(paths.has("each/cut") && paths.has("each/smooth") && paths.has("join") && !paths.has("other"));
});

test("a cycle ends the search", () => {
  const circle: GraphRecord = {
    nodes: [node("step:a"), node("step:b")],
    edges: [edge("step:a", "step:b", "x", "x"), edge("step:b", "step:a", "y", "y")],
  };
  assert.deepEqual([...relatedNodes(drawNetwork(circle, new Set()), "a").paths], ["a", "b"]);
});
