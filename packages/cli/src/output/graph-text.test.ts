import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { dotText, listText, mermaidText } from "./graph-text.ts";

const INNER: GraphRecord = { nodes: [{ id: "step:b", kind: "step", label: "b", step: "a/b" }], edges: [] };
const GRAPH: GraphRecord = {
  nodes: [
    { id: "input:in", kind: "input", label: 'in "x" <y>', type_text: "File[]" },
    { id: "step:a", kind: "step", label: "a", step: "a", class: "Workflow", scatter: true, graph: INNER },
  ],
  edges: [
    { from: "input:in", to: "step:a", from_port: "in", to_port: "x" },
    { from: "input:in", to: "step:a", from_port: "in", to_port: "y" },
  ],
};

describe("a graph", () => {
  it("in dot format has clusters for nested networks, one line for several links, and quoted names", () => {
    assert.equal(
      dotText(GRAPH, "A\nB"),
      `digraph network {
  label="A\\nB";
  rankdir=LR;
  node [fontname="Helvetica" shape=box style="rounded"];
  edge [fontname="Helvetica"];
  "input:in" [label="in \\"x\\" <y>" shape=ellipse style=solid];
  "step:a" [label="a ×N"];
  subgraph "cluster step:a" {
    label="a";
    "step:a/step:b" [label="b"];
  }
  "input:in" -> "step:a";
}`,
    );
  });

  it("as Mermaid has subgraphs and simple names", () => {
    assert.equal(
      mermaidText(GRAPH),
      `flowchart LR
  n1(["in #quot;x#quot; #lt;y>"])
  subgraph n2["a ×N"]
    n3["b"]
  end
  n1 --> n2`,
    );
  });

  it("as text has one line for each node", () => {
    assert.equal(listText(GRAPH), "input   in  File[]\nstep    a  Workflow ×N\n  step    b  ");
  });
});
