import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphRecord } from "../records/process-record.ts";
import { drawNetwork, nestedPaths, portText, type NodeBox } from "./draw-network.ts";

const inner: GraphRecord = {
  nodes: [
    { id: "image", kind: "input", label: "image" },
    { id: "smooth", kind: "step", label: "smooth", step: "each/smooth" },
  ],
  edges: [{ from: "image", to: "smooth", from_port: "image", to_port: "image", type_text: "File" }],
};
const graph: GraphRecord = {
  nodes: [
    { id: "images", kind: "input", label: "images" },
    { id: "each", kind: "step", label: "each", step: "each", scatter: true, graph: inner },
    { id: "report", kind: "output", label: "report" },
  ],
  edges: [
    { from: "images", to: "each", from_port: "images", to_port: "image", type_text: "File[]" },
    { from: "images", to: "each", from_port: "images", to_port: "mask" },
    { from: "each", to: "report", from_port: "report", to_port: "report" },
  ],
};

function box(boxes: readonly NodeBox[], path: string): NodeBox {
  const found = boxes.find((entry) => entry.path === path);
  assert.ok(found !== undefined, path);
  return found;
}

test("a folded network is one node; connections between two nodes are one line", () => {
  const { boxes, lines } = drawNetwork(graph, new Set());
  assert.deepEqual(
    boxes.map(({ path }) => path),
    ["images", "each", "report"],
  );
  assert.deepEqual(
    lines.map(({ ports }) => ports.map(portText)),
    [["images → image (File[])", "images → mask"], ["report"]],
  );
});

test("an unfolded network frames its own graph", () => {
  const { boxes, lines, width } = drawNetwork(graph, new Set(["each"]));
  const frame = box(boxes, "each");
  for (const path of ["each/image", "each/smooth"]) {
    const part = box(boxes, path);
    assert.ok(part.x > frame.x && part.y > frame.y, path);
    assert.ok(part.x + part.width < frame.x + frame.width && part.y + part.height < frame.y + frame.height, path);
  }
  assert.ok(lines.some(({ from, to }) => from === "each/image" && to === "each/smooth"));
  assert.ok(box(boxes, "report").x > frame.x + frame.width && width >= box(boxes, "report").x);
});

test("nestedPaths", () => {
  assert.deepEqual(nestedPaths(graph), ["each"]);
});

const port = (name: string, rest: object = {}) => ({
  ...{ name, typeText: "File", isConnected: true, isMissing: false, ...rest },
});

test("with ports, each connection is a line between rows, and idle ports of a large step share one", () => {
  const many = Array.from({ length: 9 }, (_, index) => port(`option_${index}`, { isConnected: false }));
  const ports = { each: { inputs: [...many, port("image"), port("mask")], outputs: [port("report")] } };
  const { boxes, lines } = drawNetwork(graph, new Set(), ports);
  const each = box(boxes, "each");
  assert.deepEqual(
    each.ports?.inputs.map(({ name, y }) => `${name} ${y}`),
    ["image 72", "mask 96"],
  );
  assert.deepEqual([each.ports?.hiddenInputs, each.ports?.hiddenOutputs, each.height], [9, 0, 140]);
  const ends = lines.filter(({ to }) => to === "each").map(({ points }) => (points.at(-1)?.y ?? 0) - each.y);
  assert.deepEqual(ends, [72, 96]);
  assert.equal(new Set(lines.map(({ key }) => key)).size, 3);
  const noted = drawNetwork(graph, new Set(), { each: { ...ports.each, note: "For trios." } });
  assert.equal(box(noted.boxes, "each").height, 184);
  const unfolded = drawNetwork(graph, new Set(["each"]), ports);
  assert.equal(box(unfolded.boxes, "each").ports, undefined, "a frame shows its steps instead");
});
