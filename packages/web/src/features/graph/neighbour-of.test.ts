import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { drawNetwork } from "@weft/shared/drawing/draw-network.ts";
import { neighbourOf, type Direction } from "./neighbour-of.ts";

const step = (id: string) => ({ id, kind: "step" as const, label: id, step: id });
const edge = (from: string, to: string) => ({ from, to, from_port: "out", to_port: "in" });
const graph: GraphRecord = {
  nodes: ["a", "b1", "b2", "b3", "c"].map(step),
  edges: [edge("a", "b1"), edge("a", "b2"), edge("a", "b3"), edge("b1", "c"), edge("b3", "c")],
};

test("neighbourOf", () => {
  const drawing = drawNetwork(graph, new Set());
  const column = drawing.boxes
    .filter(({ path }) => path.startsWith("b"))
    .toSorted((x, y) => x.y - y.y)
    .map(({ path }) => path);
  const [top = "", middle = "", bottom = ""] = column;
  const cases: [string, Direction, string | undefined][] = [
    ["a", "left", undefined],
    ["a", "right", middle],
    ["a", "up", undefined],
    [middle, "up", top],
    [middle, "down", bottom],
    [bottom, "down", undefined],
    [top, "left", "a"],
    ["b1", "right", "c"],
    ["b2", "right", undefined],
    ["nobody", "right", undefined],
  ];
  for (const [path, direction, expected] of cases)
    assert.equal(neighbourOf(drawing, path, direction)?.path, expected, `${path} ${direction}`);
});
