import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphRecord } from "../records/process-record.ts";
import { findGraphNode } from "./graph-node-path.ts";

const inner: GraphRecord = {
  nodes: [
    { id: "input:image", kind: "input", label: "Image" },
    { id: "step:smooth", kind: "step", label: "Smooth", step: "each/smooth" },
  ],
  edges: [],
};
const graph: GraphRecord = {
  nodes: [
    { id: "input:images", kind: "input", label: "Images" },
    { id: "step:each", kind: "step", label: "Each", step: "each", graph: inner },
  ],
  edges: [],
};

test("findGraphNode finds the node of a path", () => {
  const cases: [string, string | undefined][] = [
    ["input:images", "Images"],
    ["each", "Each"],
    ["each/smooth", "Smooth"],
    ["each/input:image", "Image"],
    ["smooth", undefined],
    ["", undefined],
  ];
  for (const [path, label] of cases) assert.equal(findGraphNode(graph, path)?.label, label, path);
});
