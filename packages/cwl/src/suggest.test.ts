import assert from "node:assert/strict";
import { test } from "node:test";
import { suggest } from "./suggest.ts";

const CASES: readonly (readonly [string, readonly string[], string | undefined])[] = [
  ["baseComand", ["baseCommand", "arguments"], "baseCommand"],
  ["CommandlineTool", ["CommandLineTool", "Workflow"], "CommandLineTool"],
  ["ouptut", ["inputs", "output"], "output"],
  ["x", ["foo", "bar"], undefined],
  ["scater", ["scatter", "scatterMethod"], "scatter"],
  ["calss", ["class", "label"], "class"],
  ["tpye", ["type"], "type"],
  ["adbc", ["abcd"], undefined],
  ["", ["scatter"], undefined],
  ["j", ["i"], undefined],
  ["X", ["x"], "x"],
];

for (const [word, candidates, expected] of CASES) {
  test(`suggest says ${expected} for "${word}"`, () => assert.equal(suggest(word, candidates), expected));
}
