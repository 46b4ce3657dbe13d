import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { BOX, drawLineage, relatedTo, type LineageDrawing } from "./draw-lineage.ts";
import type { FoldedLineage, FoldedNode } from "./fold-lineage.ts";

const node = (id: string): FoldedNode => ({
  id,
  kind: id.startsWith("f") ? "files" : "jobs",
  ...{ step: id, port: "", label: id, detail: "", count: 1, failed: 0, outputs: [] },
});
const graph = (...pairs: readonly string[]): FoldedLineage => {
  const edges = pairs.map((pair) => {
    const [from = "", to = ""] = pair.split(" ");
    return { from, to };
  });
  return { edges, nodes: [...new Set(edges.flatMap(({ from, to }) => [from, to]))].map(node) };
};

/** Points along the path of a line: those of curves at twenty places each. */
function pointsOf(path: string): readonly { x: number; y: number }[] {
  const points: { x: number; y: number }[] = [];
  let at = { x: 0, y: 0 };
  for (const [, command = "", rest = ""] of path.matchAll(/([MHVC])([^MHVC]*)/g)) {
    const numbers = rest.trim().split(/[ ,]+/).map(Number);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
    const end = { M: { x: a, y: b }, H: { x: a, y: at.y }, V: { x: at.x, y: a }, C: { x: e, y: f } }[command] ?? at;
    for (let part = 1; part <= 20 && command !== "M"; part += 1) {
      const t = part / 20;
      const bend = (p: number, q: number, r: number, s: number) =>
        p * (1 - t) ** 3 + 3 * q * t * (1 - t) ** 2 + 3 * r * t ** 2 * (1 - t) + s * t ** 3;
      points.push(
        command === "C"
          ? { x: bend(at.x, a, c, e), y: bend(at.y, b, d, f) }
          : { x: at.x + (end.x - at.x) * t, y: at.y + (end.y - at.y) * t },
      );
    }
    at = end;
  }
  return points;
}

/** Boxes that a line runs behind: it has a point within them that is not at their edge. */
function covered({ boxes, lines }: LineageDrawing): readonly string[] {
  const isWithin = (at: number, size: number) => at > 0.5 && at < size - 0.5;
  return lines.flatMap(({ from, to, path }) =>
    pointsOf(path).flatMap(({ x, y }) =>
      boxes
        .filter((box) => isWithin(x - box.x, BOX.width) && isWithin(y - box.y, BOX.height))
        .map((box) => `${from} → ${to} behind ${box.path}`),
    ),
  );
}

describe("drawLineage", () => {
  const cases: [string, FoldedLineage][] = [
    ["a chain with a file that is read late", graph("f1 a", "a f2", "f2 b", "b f3", "f3 c", "f1 c", "f2 c", "c f4")],
    ["jobs that read no file", graph("a f1", "f1 b", "f2 b", "b f3", "c f4", "f3 d", "f4 d", "d f5", "f1 d")],
    ["a loop", graph("f1 a", "a f2", "f2 b", "b f3", "f3 a", "b f4")],
    [
      "many steps that read files of all columns before",
      graph(
        ...Array.from({ length: 12 }, (_, job) => [
          `job${job} f${job}`,
          ...Array.from({ length: job }, (__, file) => `f${file} job${job}`).filter(
            (___, file) => (file * job) % 3 < 2,
          ),
        ]).flat(),
      ),
    ],
  ];
  for (const [name, folded] of cases)
    it(`draws no line behind a box: ${name}`, () => {
      const drawing = drawLineage(folded);
      assert.equal(drawing.lines.length, folded.edges.length);
      assert.deepEqual(covered(drawing), []);
    });

  it("is checked by a test that finds a line behind a box", () => {
    const drawing = drawLineage(graph("f1 a", "a f2"));
    const [first] = drawing.boxes;
    assert.ok(first !== undefined);
    const line = { from: "x", to: "y", path: `M0 ${first.y + 10}H2000` };
    assert.notDeepEqual(covered({ ...drawing, lines: [line] }), []);
  });

  it("leads from left to right, and contains all nodes", () => {
    const { boxes, width, height } = drawLineage(graph("f1 a", "a f2", "f2 b", "b f3"));
    const paths = boxes.map(({ path }) => path);
    assert.deepEqual(paths, ["f1", "a", "f2", "b", "f3"]);
    for (const { x, y } of boxes) assert.ok(x >= 0 && y >= 0 && x + BOX.width <= width && y + BOX.height <= height);
  });
});

test("relatedTo finds all sources and all products of a node, also in a loop", () => {
  const related = (...pairs: readonly string[]) => [...relatedTo("f2", drawLineage(graph(...pairs)).lines)].toSorted();
  assert.deepEqual(related("f1 a", "a f2", "a f3", "f2 b", "f3 c", "b f4"), ["a", "b", "f1", "f2", "f4"]);
  assert.deepEqual(related("f1 a", "a f2", "f2 b", "b f3", "f3 a"), ["a", "b", "f1", "f2", "f3"]);
});
