import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import { outletsOf, portAt, portPlaces } from "./port-places.ts";

const port = (name: string) => ({ name, typeText: "File", isConnected: false, isMissing: true });
const { boxes } = drawNetwork(
  {
    nodes: [
      { id: "input:reads", kind: "input", label: "reads" },
      { id: "step:align", kind: "step", label: "align", step: "align" },
      { id: "output:bam", kind: "output", label: "bam" },
    ],
    edges: [],
  },
  new Set(),
  { align: { inputs: [port("reads"), port("index")], outputs: [port("bam")] } },
);
const step = boxes.find(({ path }) => path === "align");

test("every node gives and takes at its ports", () => {
  assert.deepEqual(
    boxes.flatMap((box) => outletsOf(box).map(({ source }) => source)),
    ["reads", "align/bam"],
  );
  assert.deepEqual(
    boxes.flatMap((box) => portPlaces(box).map(({ name }) => `${box.path} ${name}`)),
    ["align reads", "align index", "output:bam bam"],
  );
});

test("a line ends at the nearest port that can take it, else at the node below it", () => {
  assert.ok(step !== undefined);
  const [reads, index] = portPlaces(step);
  assert.ok(reads !== undefined && index !== undefined);
  const takers = [{ path: "align", port: "index" }];
  const at = (x: number, y: number, some = takers) => portAt(boxes, { x, y }, some);
  assert.deepEqual(at(index.x - 8, index.y), { path: "align", port: "index" });
  assert.deepEqual(at(index.x + 60, index.y), { path: "align", port: "index" }, "the name of a port");
  assert.deepEqual(at(step.x + step.width - 4, step.y + 4), { path: "align" });
  assert.deepEqual(
    at(reads.x + 60, reads.y),
    { path: "align" },
    "a port that cannot take it is only a part of the node",
  );
  assert.equal(at(reads.x, reads.y, []), undefined);
  assert.equal(at(step.x - 500, step.y), undefined);
});
