import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import { verdictSentence, type DifferenceCounts } from "./compare-runs.ts";

const IDENTICAL: Omit<Verdict, "sentence"> = {
  ...{ result: "identical", same_document: true, inputs_compared: 2, outputs_compared: 7 },
  ...{ inputs: [], outputs: [], surroundings: [], first_difference: null },
};
const NOTHING: DifferenceCounts = { inputs: 0, outputs: 0, tools: undefined };
const PARTED = { job_id: "measure/3", step: "measure", sample_id: "sub-03" };

describe("verdictSentence", () => {
  const cases: Readonly<
    Record<string, readonly [Partial<typeof IDENTICAL>, Partial<DifferenceCounts>, expected: string]>
  > = {
    "that everything is the same": [{}, {}, "Same document, same inputs: all 7 outputs are identical."],
    "that every job ran in the same container": [
      { result: "different", first_difference: PARTED },
      { tools: "same", outputs: 1 },
      "Same document, same inputs, same tools: 1 of 7 outputs differs; first at step measure (sub-03).",
    ],
    "the output at which the runs diverged": [
      { result: "different", first_difference: { ...PARTED, output: "table[2].mean" } },
      { outputs: 1 },
      "Same document, same inputs: 1 of 7 outputs differs; first at step measure (sub-03), output table[2].mean.",
    ],
    "that tools or containers differ": [
      {},
      { tools: "other" },
      "Same document, same inputs, other tools or containers: all 7 outputs are identical.",
    ],
    "nothing about tools if the documents differ": [
      { same_document: false },
      { tools: "same" },
      "Different documents, same inputs: all 7 outputs are identical.",
    ],
    "that document and inputs differ": [
      { same_document: false },
      { inputs: 2, outputs: 3 },
      "Different documents, 2 of 2 inputs differ: 3 of 7 outputs differ.",
    ],
    "that the outputs are within the tolerance": [
      { result: "within_tolerance" },
      { outputs: 2 },
      "Same document, same inputs: 2 of 7 outputs differ, within the tolerance.",
    ],
  };
  const both = { first: { state: "COMPLETE" }, second: { state: "COMPLETE" } } as const;
  for (const [what, [change, noticed, expected]] of Object.entries(cases))
    it(`reports ${what}`, () =>
      assert.equal(verdictSentence({ ...IDENTICAL, ...change }, { ...NOTHING, ...noticed }, both), expected));

  it("says that the runs ended in different states", () => {
    const states = { first: { state: "COMPLETE" }, second: { state: "CANCELED" } } as const;
    const sentence = verdictSentence(IDENTICAL, NOTHING, states);
    assert.match(sentence, /: the first succeeded, the second was aborted; all 7 outputs are identical\.$/);
  });
});
