import assert from "node:assert/strict";
import { test } from "node:test";
import { actionText, sentence } from "./sentence.ts";

test("sentence begins with a capital and ends with a full stop", () => {
  const cases: [string, string][] = [
    ["the program ended with exit code 1", "The program ended with exit code 1."],
    ["Already one.", "Already one."],
    ["sub-01.nii is missing", "sub-01.nii is missing."],
    ["really?", "really?"],
    ["  ", ""],
  ];
  for (const [text, whole] of cases) assert.equal(sentence(text), whole);
});

test("actions of the audit log are written in words", () => {
  for (const [action, text] of [
    ["createRun", "Create run"],
    ["request", "Request"],
    ["token.removed", "Token removed"],
    ["", ""],
  ] as const)
    assert.equal(actionText(action), text);
});
