import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { analyze } from "./analysis.ts";
import { locateFailure, type FailurePlace } from "./locate-failure.ts";
import { offsetAt } from "./text-range.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
requirements:
  - class: ResourceRequirement
    ramMin: $(inputs.ram)
  - class: InlineJavascriptRequirement
baseCommand: [wc, -l]
inputs:
  text: {type: File, inputBinding: {valueFrom: $(self.nothing)}}
  ram: int
outputs:
  count:
    type: File
    outputBinding:
      glob: counts.txt
  log: stdout
stdout: $(inputs.none)
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: {text: File}
outputs: {count: {type: File, outputSource: inner/count}}
steps:
  far:
    run: far.cwl
    in:
      text: text
      ram:
        source: text
        valueFrom: $(self.x)
    out: [count]
  inner:
    scatter: text
    run:
      class: Workflow
      inputs: {text: File}
      outputs: {count: {type: File, outputSource: near/count}}
      steps:
        near:
          run:
            class: CommandLineTool
            baseCommand: grep
            inputs: {text: File}
            outputs: {count: {type: File, outputBinding: {glob: none.txt}}}
          in: {text: text}
          out: [count]
    in: {text: text}
    out: [count]
`;

/** The marked text and its line, then `…` and the other document if the fault is there. */
async function located(text: string, failure: FailurePlace): Promise<string | undefined> {
  const uri = "file:///main.cwl";
  const read = async (requested: string) =>
    requested === uri ? text : requested.endsWith("/far.cwl") ? TOOL : undefined;
  const analysis = await analyze(uri, { reader: { read }, parsed: new Map() });
  const found = locateFailure(analysis, failure);
  if (found === undefined) return undefined;
  const { start, end } = found.range;
  const marked = text.slice(offsetAt(text, start), offsetAt(text, end));
  const elsewhere = found.elsewhere === undefined ? "" : ` … ${found.elsewhere}`;
  return `${start.line + 1} ${marked}${elsewhere}`;
}

const IN_TOOL: readonly (readonly [code: string, place: string | undefined, expected: string])[] = [
  ["MISSING_OUTPUT", "outputs.count", "15 counts.txt"],
  ["EXPRESSION", "outputs.count.outputBinding.glob", "15 counts.txt"],
  ["MISSING_OUTPUT", "outputs.log", "16 log"],
  ["TOOL_EXIT", undefined, "7 baseCommand"],
  ["OUT_OF_MEMORY", undefined, "4 class"],
  ["EXPRESSION", "requirements.ResourceRequirement.ramMin", "5 $(inputs.ram)"],
  ["EXPRESSION", "ResourceRequirement.ramMin", "5 $(inputs.ram)"],
  ["EXPRESSION", "inputs.text.inputBinding.valueFrom", "9 $(self.nothing)"],
  ["EXPRESSION", "stdout", "17 $(inputs.none)"],
  ["STAGE_IN", "inputs.ram", "10 ram"],
  ["EXPRESSION", "nowhere.at.all", "1 cwlVersion"],
  ["ENGINE", undefined, "1 cwlVersion"],
];

describe("locateFailure", () => {
  for (const [code, place, expected] of IN_TOOL)
    it(`finds the position of ${code} in a tool ${place ?? ""}`, async () =>
      assert.equal(await located(TOOL, { step: "", code, place }), expected));

  const inNetwork: readonly (readonly [step: string, code: string, place: string | undefined, expected: string])[] = [
    ["far", "EXPRESSION", "steps.far.in.ram.valueFrom", "12 $(self.x)"],
    ["inner", "EXPRESSION", "steps.inner.scatter", "15 text"],
    ["inner/near", "TOOL_EXIT", undefined, "24 grep"],
    ["inner/near", "MISSING_OUTPUT", "outputs.count", "26 none.txt"],
    ["far", "MISSING_OUTPUT", "outputs.count", "7 run … file:///far.cwl"],
    ["far", "TOOL_EXIT", undefined, "7 run … file:///far.cwl"],
    ["", "EXPRESSION", "outputs.count", "4 count"],
  ];
  for (const [step, code, place, expected] of inNetwork)
    it(`finds the position of ${code} at step ${step} in a network ${place ?? ""}`, async () =>
      assert.equal(await located(NETWORK, { step, code, place }), expected));

  it("falls back to the document if a step is missing, and returns undefined if it is not YAML", async () => {
    assert.equal(await located(NETWORK, { step: "gone/near", code: "TOOL_EXIT", place: undefined }), "1 cwlVersion");
    assert.equal(await located("not: [yaml", { step: "", code: "TOOL_EXIT", place: undefined }), undefined);
  });
});
