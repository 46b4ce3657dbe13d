import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt, withValueAt, type FormPath } from "./form-path.ts";

test("withValueAt", () => {
  const cases: [unknown, FormPath, unknown, unknown][] = [
    [{}, ["a"], 1, { a: 1 }],
    [{ a: 1, b: 2 }, ["a"], undefined, { b: 2 }],
    [{}, ["list", 0], "x", { list: ["x"] }],
    [{ list: ["x", "y"] }, ["list", 1], undefined, { list: ["x", null] }],
    [{ r: { a: 1 } }, ["r", "b"], 2, { r: { a: 1, b: 2 } }],
    [{ r: 5 }, ["r", "b"], 2, { r: { b: 2 } }],
    [{ a: 1 }, [], { b: 2 }, { b: 2 }],
  ];
  for (const [root, path, value, expected] of cases) assert.deepEqual(withValueAt(root, path, value), expected);
});

test("values outside the path are shared", () => {
  const root = { a: { x: 1 }, b: { y: 2 } };
  const next = withValueAt(root, ["a", "x"], 9);
  assert.equal(valueAt(next, ["b"]), root.b);
  assert.deepEqual(root, { a: { x: 1 }, b: { y: 2 } });
  assert.equal(valueAt(next, ["a", "x"]), 9);
  assert.equal(valueAt(next, ["a", "x", "deeper"]), undefined);
});
