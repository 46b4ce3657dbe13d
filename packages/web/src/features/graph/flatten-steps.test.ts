import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { flattenSteps } from "./flatten-steps.ts";

const graph: GraphRecord = {
  nodes: [
    { id: "in", kind: "input", label: "in" },
    {
      id: "each",
      kind: "step",
      label: "Each subject",
      step: "each",
      graph: {
        nodes: [{ id: "smooth", kind: "step", label: "Smooth", step: "each/smooth", process_label: "Gaussian" }],
        edges: [],
      },
    },
    { id: "report", kind: "step", label: "Report", step: "report" },
  ],
  edges: [],
};

test("flattenSteps", () => {
  const cases: [string, string[]][] = [
    ["", ["1 each 1/2", "2 each/smooth 1/1", "1 report 2/2"]],
    ["SMOO", ["1 each/smooth 1/1"]],
    ["gauss", ["1 each/smooth 1/1"]],
    ["subject", ["1 each 1/1"]],
    ["each", ["1 each 1/2", "1 each/smooth 2/2"]],
    ["x", []],
  ];
  for (const [q, expected] of cases)
    assert.deepEqual(
      flattenSteps(graph, q).map(({ level, path, place, count }) => `${level} ${path} ${place}/${count}`),
      expected,
    );
});
