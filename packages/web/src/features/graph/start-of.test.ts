import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import { startOf } from "./start-of.ts";
import { stepProgress } from "./step-progress.ts";

const drawing = drawNetwork(
  {
    nodes: [
      { id: "input:in", kind: "input", label: "in" },
      ...["a", "b", "c"].map((id) => ({ id: `step:${id}`, kind: "step" as const, label: id, step: id })),
    ],
    edges: [
      { from: "input:in", to: "step:a", from_port: "in", to_port: "in" },
      { from: "step:a", to: "step:b", from_port: "out", to_port: "in" },
      { from: "step:b", to: "step:c", from_port: "out", to_port: "in" },
    ],
  },
  new Set(),
);

test("a drawing begins at the step that failed first, else at the first step", () => {
  assert.equal(startOf(drawing, () => undefined)?.path, "a");
  const failed = { job_counts: { EXECUTOR_ERROR: 1 }, jobs_total: 1, jobs_total_is_final: true, jobs_cached: 0 };
  const counts = [
    { ...failed, step: "c" },
    { ...failed, step: "b" },
  ];
  assert.equal(startOf(drawing, (step) => stepProgress(counts, step ?? ""))?.path, "b");
});
