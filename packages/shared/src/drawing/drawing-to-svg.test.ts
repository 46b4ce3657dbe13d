import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNetwork } from "./draw-network.ts";
import { drawingToSvg } from "./drawing-to-svg.ts";

test("every node and line is in the document, and names are escaped", () => {
  const drawing = drawNetwork(
    {
      nodes: [
        { id: "in", kind: "input", label: "in" },
        { id: "a", kind: "step", label: 'R & "D" <x>', step: "a", scatter: true },
      ],
      edges: [{ from: "in", to: "a", from_port: "in", to_port: "x<y" }],
    },
    new Set(),
  );
  const svg = drawingToSvg(drawing, "A & B");
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.match(svg, /<title>A &amp; B<\/title>/);
  assert.match(svg, />R &amp; &quot;D&quot; &lt;x&gt; ×N<\/text>/);
  assert.match(svg, /in → x&lt;y/);
  assert.equal(svg.match(/<text /g)?.length, 2);
  assert.equal(svg.match(/<path /g)?.length, 1);
});
