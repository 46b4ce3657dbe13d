import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import { graphEdge, graphNode } from "../../../testing/graph-record.ts";
import { outletsOf, portAt, portPlaces, portsOf } from "./port-places.ts";

const port = (name: string) => ({ name, typeText: "File", isConnected: false, isMissing: true });
const { boxes } = drawNetwork(
  {
    nodes: ["input:reads", "step:align", "output:bam"].map((id) => graphNode(id)),
    edges: [],
  },
  new Set(),
  { align: { inputs: [port("reads"), port("index")], outputs: [port("bam")] } },
);
const step = boxes.find(({ path }) => path === "align");

test("every node has its inputs and outputs as ports", () => {
  const outlets = boxes.flatMap((box) => outletsOf(box).map(({ source }) => source));
  assert.deepEqual(outlets, ["reads", "align/bam"]);
  const places = boxes.flatMap((box) => portPlaces(box).map(({ name }) => `${box.path} ${name}`));
  assert.deepEqual(places, ["align reads", "align index", "output:bam bam"]);
});

test("a line ends at the nearest compatible port, otherwise at the node at the pointer", () => {
  assert.ok(step !== undefined);
  const [reads, index] = portPlaces(step);
  assert.ok(reads !== undefined && index !== undefined);
  const compatiblePorts = [{ path: "align", port: "index" }];
  const at = (x: number, y: number, some = compatiblePorts) => portAt(boxes, { x, y }, some);
  assert.deepEqual(at(index.x - 8, index.y), { path: "align", port: "index" });
  assert.deepEqual(at(index.x + 60, index.y), { path: "align", port: "index" }, "the name of a port");
  assert.deepEqual(at(step.x + step.width - 4, step.y + 4), { path: "align" });
  assert.deepEqual(at(reads.x + 60, reads.y), { path: "align" }, "a port that cannot take it is a part of the node");
  assert.equal(at(reads.x, reads.y, []), undefined);
  assert.equal(at(step.x - 500, step.y), undefined);
});

test("the ports of a node name the node at the other end; many are counted", () => {
  const ids = Array.from({ length: 10 }, (_, n) => `i${n}`);
  const nodes = [...ids.map((id) => `input:${id}`), "step:join", "output:all"].map((id) => graphNode(id));
  const edges = [
    ...ids.map((id) => Object.assign(graphEdge(`input:${id}`, "step:join", id, "parts"), { type_text: "File" })),
    graphEdge("step:join", "output:all", "joined", "all"),
  ];
  const drawing = drawNetwork({ nodes, edges }, new Set());
  const { inputs, outputs } = portsOf(drawing, "join");
  assert.deepEqual(inputs.lines[0], { port: { from: "i0", to: "parts", type: "File" }, other: "i0" });
  assert.deepEqual([inputs.lines.length, inputs.more], [8, 2]);
  assert.deepEqual(outputs, {
    lines: [{ port: { from: "joined", to: "all", type: undefined }, other: "all" }],
    more: 0,
  });
  assert.deepEqual(portsOf(drawing, "output:all").outputs, { lines: [], more: 0 });
});
