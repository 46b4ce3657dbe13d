import assert from "node:assert/strict";
import { test } from "node:test";
import { neverGiveWay } from "../give-way.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import { resolveInputObject } from "./resolve-input-object.ts";

const OPTIONS = { baseUri: "file:///data/", limits: TEST_LIMITS, giveWay: neverGiveWay };

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("resolveInputObject makes locations absolute", async () => {
  const value = { "a/b": [{ class: "File", path: "x y.txt" }], n: 1, o: { f: { class: "Directory", location: "d/" } } };
  const { values, problems } = await resolveInputObject(value, OPTIONS);
  assert.deepEqual(problems, []);
  assert.deepEqual(plain(values), {
    "a/b": [{ class: "File", location: "file:///data/x%20y.txt" }],
    n: 1,
    o: { f: { class: "Directory", location: "file:///data/d/" } },
  });
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

const PROBLEMS: readonly (readonly [string, unknown, string])[] = [
  ["a list", [], ""],
  ["a File without a location", { "a/b": [{ class: "File" }] }, "/a~1b/0"],
  ["a File whose location is not a string", { f: { class: "File", location: 7 } }, "/f"],
  ["secondary files that are not a list", { f: { class: "File", location: "x", secondaryFiles: "y" } }, "/f"],
  ["secondary files that are not files", { f: { class: "File", location: "x", secondaryFiles: [null] } }, "/f"],
  ["a listing that is not a list", { d: { class: "Directory", listing: {} } }, "/d"],
  ["a function", { f: () => 1 }, "/f"],
  ["a number that is not finite", { x: { y: Number.NaN } }, "/x/y"],
];

for (const [name, value, pointer] of PROBLEMS) {
  test(`resolveInputObject refuses ${name}`, async () => {
    const found = (await resolveInputObject(value, OPTIONS)).problems.map((problem) => problem.pointer);
    assert.deepEqual(found, [pointer]);
  });
}

test("resolveInputObject omits invalid fields of a File", async () => {
  const wrong = { class: "File", location: 7, secondaryFiles: "y", basename: "a" };
  const empty = { class: "File", location: "x", secondaryFiles: null };
  const { values, problems } = await resolveInputObject({ wrong, empty }, OPTIONS);
  assert.deepEqual(plain(values), {
    wrong: { class: "File", basename: "a" },
    empty: { class: "File", location: "file:///data/x" },
  });
  assert.equal(problems.length, 1);
});

test("resolveInputObject refuses endless nesting", async () => {
  assert.equal((await resolveInputObject({ x: nested(1000) }, OPTIONS)).problems.length, 1);
});
