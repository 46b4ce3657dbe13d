import assert from "node:assert/strict";
import { test } from "node:test";
import { actionText } from "./action-text.ts";

test("actions of the audit log are written in words", () => {
  for (const [action, text] of [
    ["createRun", "Create run"],
    ["request", "Request"],
    ["token.removed", "Token removed"],
    ["", ""],
  ] as const)
    assert.equal(actionText(action), text);
});
