import assert from "node:assert/strict";
import { test } from "node:test";
import { type FormPath, FormStore, valueAt, withValueAt, withoutElements } from "./form-store.ts";

const LISTS = [{ id: "images" }, { id: "ages" }];

test("a change reaches listeners and drops the problems of the old value", () => {
  const store = new FormStore({ images: [{ class: "File", location: "x" }], sigma: 2 }, undefined, {});
  let calls = 0;
  const stop = store.subscribe(() => (calls += 1));
  store.setProblems([
    { pointer: "/images/0/location", message: "nothing is there" },
    { pointer: "/sigma", message: "too large" },
  ]);
  store.set(["images", 0], { class: "File", location: "y" });
  assert.deepEqual(store.problems(), [{ pointer: "/sigma", message: "too large" }]);
  assert.deepEqual(store.get(["images", 0, "location"]), "y");
  assert.equal(calls, 2);
  stop();
  store.replaceValues({ sigma: 1 });
  assert.equal(calls, 2);
  assert.deepEqual(store.values(), { sigma: 1 });
  assert.deepEqual(store.problems(), []);
});

test("an edit of a list keeps the problems of unchanged entries", () => {
  const store = new FormStore({ a: [1, 2, 3], b: [4], width: 1 }, undefined, {});
  const samples = { names: ["x", "y", "z"], lists: {} };
  store.setProblems([
    { pointer: "/a/1", message: "one" },
    { pointer: "/a/2", message: "two" },
    { pointer: "/b", message: "whole" },
    { pointer: "/width", message: "other" },
    { pointer: "//sample name/1", message: "name" },
  ]);
  store.setLists({ a: [1, 9, 3], b: undefined }, samples);
  assert.deepEqual(store.values(), { a: [1, 9, 3], width: 1 });
  assert.equal(store.samples(), samples);
  const left = store.problems().map(({ message }) => message);
  assert.deepEqual(left, ["two", "other"]);
});

test("withValueAt replaces one value", () => {
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

test("elements are left out of all lists of the samples", () => {
  const values = { images: ["a", "b", "c"], ages: [1, 2, 3], others: [7, 8, 9] };
  assert.deepEqual(withoutElements(values, LISTS, [1]), { images: ["a", "c"], ages: [1, 3], others: [7, 8, 9] });
  for (const [indexes, lists] of [
    [[0, 1, 2], LISTS],
    [[3], LISTS],
    [[0], []],
    [[0], [{ id: "unknown" }]],
  ] as const)
    assert.equal(withoutElements(values, lists, indexes), undefined);
});
