import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LineageFlow, RunLineage } from "@weft/shared/records/lineage-record.ts";
import { foldLineage } from "./fold-lineage.ts";

const step = (name: string, jobs: number, failed = 0) => ({
  step: name,
  label: null,
  tool: null,
  job_counts: {
    ...(jobs > failed ? { COMPLETE: jobs - failed } : {}),
    ...(failed > 0 ? { EXECUTOR_ERROR: failed } : {}),
  },
});
const flow = (from: string | null, to: string | null, files: number): LineageFlow => ({ from, to, files });
const lineage: RunLineage = {
  run_id: "r",
  steps: [step("prepare", 3), step("each/smooth", 3), step("each/measure", 3, 1), step("report", 1), step("never", 0)],
  flows: [
    flow(null, "prepare", 3),
    flow("prepare", "each/smooth", 3),
    flow("each/smooth", "each/measure", 3),
    flow("prepare", "each/measure", 3),
    flow("each/measure", "report", 2),
    flow("report", null, 1),
  ],
  runs: [],
  links: [],
};

describe("foldLineage", () => {
  it("shows a nested network as one node with the jobs and failures of all its steps", () => {
    const { nodes, edges } = foldLineage(lineage, new Set());
    assert.deepEqual(
      nodes.map(({ label, jobs, failed, column }) => [label, jobs, failed, column]),
      [
        ["Inputs", 0, 0, 0],
        ["prepare", 3, 0, 1],
        ["each", 6, 1, 2],
        ["report", 1, 0, 3],
        ["Outputs", 0, 0, 4],
      ],
    );
    assert.deepEqual(
      edges.map(({ from, to, files }) => [from, to, files]),
      [
        ["inputs", "step:prepare", 3],
        ["step:prepare", "step:each", 6],
        ["step:each", "step:report", 2],
        ["step:report", "outputs", 1],
      ],
    );
  });

  it("shows the steps of a network that is open, each right of what it reads", () => {
    const { nodes, edges } = foldLineage(lineage, new Set(["each"]));
    const columns = new Map(nodes.map(({ id, column }) => [id, column]));
    assert.deepEqual(
      [...columns.keys()],
      ["inputs", "step:prepare", "step:each/smooth", "step:each/measure", "step:report", "outputs"],
    );
    for (const { from, to } of edges) assert.ok((columns.get(from) ?? 0) < (columns.get(to) ?? 0), `${from} ${to}`);
  });

  it("comes to an end where folded networks pass files back and forth", () => {
    const steps = [step("a/one", 1), step("b/one", 1), step("a/two", 1)];
    const flows = [flow("a/one", "b/one", 1), flow("b/one", "a/two", 1)];
    const { nodes } = foldLineage({ ...lineage, steps, flows }, new Set());
    assert.deepEqual(
      nodes.map(({ label }) => label),
      ["Inputs", "a", "b", "Outputs"],
    );
  });

  it("calls the step of a single tool so", () => {
    const { nodes } = foldLineage({ ...lineage, steps: [step("", 1)], flows: [flow(null, "", 1)] }, new Set());
    assert.equal(nodes[1]?.label, "the tool");
  });
});
