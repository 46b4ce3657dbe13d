import assert from "node:assert/strict";
import { test } from "node:test";
import { attachedPaths } from "./attached-paths.ts";

const CASES: readonly (readonly [names: readonly string[], paths: readonly string[]])[] = [
  [
    ["main.cwl", "tools/a.cwl"],
    ["main.cwl", "tools/a.cwl"],
  ],
  [
    ["./main.cwl", "tools/../a.cwl"],
    ["main.cwl", "a.cwl"],
  ],
  [
    ["main.cwl", "../lib/a.cwl"],
    ["parent/main.cwl", "lib/a.cwl"],
  ],
  [
    ["../../etc/passwd", "main.cwl"],
    ["etc/passwd", "parent/parent/main.cwl"],
  ],
  // No file of a document can have these names.
  [["/etc/passwd", "a\0b", "a\\b", "", "..", ".", "a/", `${"../".repeat(9)}a`, "x".repeat(256), "a/".repeat(21)], []],
];

for (const [names, expected] of CASES)
  test(`attachments ${names.map((name) => JSON.stringify(name.slice(0, 20))).join(" ")}`, () => {
    assert.deepEqual([...attachedPaths(names).values()], expected);
  });

test("two attachments of one path are refused", () => {
  assert.throws(() => attachedPaths(["main.cwl", "./main.cwl"]), /Two attachments are called main.cwl/);
});
