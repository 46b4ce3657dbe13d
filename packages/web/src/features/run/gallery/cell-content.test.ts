import assert from "node:assert/strict";
import { test } from "node:test";
import { contentOf, contentText, sparkPoints } from "./cell-content.ts";

const FILE = { class: "File", basename: "a.nii" } as const;

test("contentOf describes the content of a tile", () => {
  const cases: readonly (readonly [unknown, ReturnType<typeof contentOf>, string])[] = [
    [null, { kind: "none" }, "not set"],
    [FILE, { kind: "file", file: FILE }, "a.nii"],
    [[FILE], { kind: "file", file: FILE }, "a.nii"],
    [[FILE, FILE], { kind: "files", files: [FILE, FILE], text: "2 files" }, "2 files"],
    [{ class: "Directory", basename: "d", listing: [FILE] }, { kind: "files", files: [FILE], text: "d/" }, "d/"],
    [0.5, { kind: "number", text: "0.5", full: "0.5" }, "0.5"],
    [77.79769377224147, { kind: "number", text: "77.798", full: "77.79769377224147" }, "77.798"],
    [2n ** 63n, { kind: "number", text: "9223372036854775808", full: "9223372036854775808" }, "9223372036854775808"],
    [[1, 2], { kind: "numbers", numbers: [1, 2] }, "2 numbers"],
    [[], { kind: "text", text: "empty list" }, "empty list"],
    [["a", 1], { kind: "text", text: "a\n1" }, "a, 1"],
    [{ mean: 1, on: true }, { kind: "text", text: "mean: 1\non: true" }, "mean: 1, on: true"],
    ["x", { kind: "text", text: "x" }, "x"],
  ];
  for (const [value, content, line] of cases) {
    assert.deepEqual(contentOf(value), content);
    assert.equal(contentText(value), line);
  }
});

test("sparkPoints fill the height, and leave out values that are not numbers", () => {
  assert.deepEqual(sparkPoints([1, 3, 2]), [0, 1, 0.5]);
  assert.deepEqual(sparkPoints([7, 7]), [0.5, 0.5]);
  assert.deepEqual(sparkPoints([Number.NaN, 1, Number.POSITIVE_INFINITY, 2]), [0, 1]);
  assert.equal(sparkPoints(Array.from({ length: 500_000 }, (_, n) => n)).length, 500_000);
});
