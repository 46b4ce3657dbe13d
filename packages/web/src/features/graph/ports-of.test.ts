import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import { portsOf } from "./ports-of.ts";

test("the ports of a node name the node at the other end; many are counted", () => {
  const sources = Array.from({ length: 10 }, (_, n) => ({
    id: `input:i${n}`,
    kind: "input" as const,
    label: `Input ${n}`,
  }));
  const drawing = drawNetwork(
    {
      nodes: [
        ...sources,
        { id: "step:join", kind: "step", label: "Join", step: "join" },
        { id: "output:all", kind: "output", label: "All" },
      ],
      edges: [
        ...sources.map(({ id }, n) => ({
          from: id,
          to: "step:join",
          from_port: `i${n}`,
          to_port: "parts",
          type_text: "File",
        })),
        { from: "step:join", to: "output:all", from_port: "joined", to_port: "all" },
      ],
    },
    new Set(),
  );
  const { inputs, outputs } = portsOf(drawing, "join");
  assert.deepEqual(inputs.lines[0], { port: { from: "i0", to: "parts", type: "File" }, other: "Input 0" });
  assert.deepEqual([inputs.lines.length, inputs.more], [8, 2]);
  assert.deepEqual(outputs, {
    lines: [{ port: { from: "joined", to: "all", type: undefined }, other: "All" }],
    more: 0,
  });
  assert.deepEqual(portsOf(drawing, "output:all").outputs, { lines: [], more: 0 });
});
