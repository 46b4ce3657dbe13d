import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyExit } from "./classify-exit.ts";

const codes = (successCodes: number[], temporaryFailCodes: number[], permanentFailCodes: number[]) => ({
  successCodes,
  temporaryFailCodes,
  permanentFailCodes,
});

const CASES: readonly (readonly [ReturnType<typeof codes>, number, string])[] = [
  [codes([], [], []), 0, "success"],
  [codes([], [], []), 1, "permanentFail"],
  [codes([3], [], []), 3, "success"],
  [codes([3], [], []), 0, "success"],
  [codes([], [75], []), 75, "temporaryFail"],
  [codes([], [], [0]), 0, "permanentFail"],
];
for (const [tool, exitCode, expected] of CASES)
  test(`classifies exit code ${exitCode} of ${JSON.stringify(tool)}`, () =>
    assert.equal(classifyExit(tool, exitCode), expected));
