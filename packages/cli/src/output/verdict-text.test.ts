import assert from "node:assert/strict";
import { it } from "node:test";
import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import { verdictText } from "./verdict-text.ts";

const IDENTICAL: Verdict = {
  result: "identical",
  sentence: "Same document, same inputs: all 3 outputs are identical.",
  same_document: true,
  inputs_compared: 1,
  outputs_compared: 3,
  inputs: [],
  outputs: [],
  surroundings: [],
  first_difference: null,
};

it("a verdict of identical outputs is one sentence", () => {
  assert.equal(verdictText(IDENTICAL, { state: "COMPLETE", state_reason: null }), `${IDENTICAL.sentence}\n`);
});

it("a verdict lists each difference, and says why the new run failed", () => {
  const verdict: Verdict = {
    ...IDENTICAL,
    result: "different",
    sentence: "Two differ.",
    outputs: [
      { name: "table", result: "within_tolerance", detail: "numbers differ by at most 0.5" },
      { name: "report", result: "different", detail: null },
    ],
    inputs: [{ name: "scans[1]", result: "different", detail: "same size, different content" }],
    surroundings: ["Weft 1 and 2"],
  };
  const failed = {
    state: "EXECUTOR_ERROR",
    state_reason: { code: "TOOL_EXIT", message: "exit code 3", hint: "look at the log" },
  } as const;
  assert.equal(
    verdictText(verdict, failed),
    `Two differ.
  within tolerance  table: numbers differ by at most 0.5
  different         report
  identical         1 other
Inputs that differ:
  different         scans[1]: same size, different content
Other differences:
  Weft 1 and 2
The new run ended as EXECUTOR_ERROR:
  exit code 3
  hint: look at the log
`,
  );
});
