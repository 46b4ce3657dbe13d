import assert from "node:assert/strict";
import { it } from "node:test";
import { networkAround, networkOfSteps, sourceOfOutput } from "./network-from-run.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: wc
inputs: {text: File, lines: "boolean?"}
outputs: {count: stdout}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: {text: File}
outputs: {count: {type: File, outputSource: last/count}, all: {type: "File[]", outputSource: [first/count, last/count]}}
steps:
  first: {run: ../../tools/count.cwl, in: {text: text}, out: [count]}
  last: {run: ../../tools/count.cwl, in: {text: first/count}, out: [count]}
`;
const document = { path: "networks/counts/counts.cwl", text: NETWORK };
const readFile = async (path: string) => (path === "tools/count.cwl" ? TOOL : undefined);

it("makes a network of steps, or gives the reason why it cannot", async () => {
  const path = "networks/part/draft/part.cwl";
  const text = await networkOfSteps(document, { path, steps: ["last"] }, readFile);
  assert.match(text, /last: \{run: \.\.\/\.\.\/\.\.\/tools\/count\.cwl, in: \{text: count\}/);
  await assert.rejects(networkOfSteps(document, { path, steps: ["none"] }, readFile), /does not have these steps/);
  await assert.rejects(networkOfSteps({ ...document, text: TOOL }, { path, steps: ["a"] }, readFile), /cannot be read/);
});

it("finds the step that gives an output", async () => {
  assert.equal(await sourceOfOutput(document, "count", readFile), "last/count");
  assert.equal(await sourceOfOutput(document, "all", readFile), undefined);
});

it("makes a network around a tool", async () => {
  const text = "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps: {}\n";
  const draft = { path: "networks/new/draft/new.cwl", text };
  const done = await networkAround(draft, { path: "tools/count.cwl", id: "count" }, readFile);
  assert.equal(done.step, "count");
  assert.match(done.text, /inputs:\n {2}text: File\n {2}lines: boolean\?\n/);
  assert.match(done.text, /run: \.\.\/\.\.\/\.\.\/tools\/count\.cwl/);
});
