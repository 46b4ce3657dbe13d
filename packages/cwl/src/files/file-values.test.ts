import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPattern } from "./secondary-files.ts";
import { splitName } from "../values/file-name.ts";
import { isWithin } from "../values/file-uri.ts";

const NAMES: readonly (readonly [string, string, string])[] = [
  ["a.txt", "a", ".txt"],
  ["a.tar.gz", "a.tar", ".gz"],
  [".cshrc", ".cshrc", ""],
  ["..a.b", "..a", ".b"],
  ["a.", "a", "."],
  ["plain", "plain", ""],
];
for (const [basename, nameroot, nameext] of NAMES) {
  test(`${basename} is ${nameroot} and ${nameext}`, () => assert.deepEqual(splitName(basename), { nameroot, nameext }));
}

const PATTERNS: readonly (readonly [string, string, string])[] = [
  ["a.bam", ".bai", "a.bam.bai"],
  ["a.bam", "^.bai", "a.bai"],
  ["a.tar.gz", "^^.x", "a.x"],
  ["a", "^.x", "a.x"],
  ["a", "^^^", "a"],
  ["a.b", "_dir", "a.b_dir"],
];
for (const [basename, pattern, expected] of PATTERNS) {
  test(`applies ${pattern} to ${basename}`, () => assert.equal(applyPattern(basename, pattern), expected));
}

const WITHIN: readonly (readonly [string, string, boolean])[] = [
  ["file:///out/a", "file:///out", true],
  ["file:///out/a", "file:///out/", true],
  ["file:///out", "file:///out/", true],
  ["file:///outer", "file:///out", false],
  ["file:///o%75t/a", "file:///out", true],
];
for (const [uri, folder, expected] of WITHIN) {
  test(`${uri} is ${expected ? "" : "not "}within ${folder}`, () => assert.equal(isWithin(uri, folder), expected));
}
