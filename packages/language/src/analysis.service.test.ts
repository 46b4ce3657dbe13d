import assert from "node:assert/strict";
import { test } from "node:test";
import { analyze } from "./analysis.ts";

const STEPS = 200;
const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: cp
requirements: {InlineJavascriptRequirement: {}}
inputs: {x: {type: File, inputBinding: {position: 1}}, n: {type: string, inputBinding: {valueFrom: "$(inputs.x.nameroot + self)"}}}
outputs: {o: {type: File, outputBinding: {glob: $(inputs.n)}}}
`;
const step = (number: number) => `  s${number}:
    run: t${number}.cwl
    in:
      x: ${number === 0 ? "a" : `s${number - 1}/o`}
      n: {default: x, valueFrom: $(self).txt}
    out: [o]
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: {StepInputExpressionRequirement: {}}
inputs: {a: File}
outputs: {z: {type: File, outputSource: s${STEPS - 1}/o}}
steps:
${Array.from({ length: STEPS }, (_, number) => step(number)).join("")}`;

test(`an edit of a network of ${STEPS} steps, each with its own tool, is checked at once`, async (context) => {
  const uri = "file:///w/n.cwl";
  let text = NETWORK;
  const reader = { read: async (requested: string) => (requested === uri ? text : TOOL) };
  const parsed = new Map();
  const times: number[] = [];
  for (let edit = 0; edit < 30; edit++) {
    text = NETWORK.replace("x: s41/o", edit % 2 === 0 ? "x: s41/p" : "x: s41/o");
    const start = process.cpuUsage();
    const { diagnostics } = await analyze(uri, { reader, parsed });
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
    assert.equal(diagnostics.length, edit % 2 === 0 ? 1 : 0);
  }
  const median = times.toSorted((a, b) => a - b)[times.length / 2] ?? 0;
  context.diagnostic(`median ${median.toFixed(1)} ms of processor time`);
  assert.ok(median < 250, `${median} ms`);
});

test("a library without a main process is checked process by process", async () => {
  const uri = "file:///w/lib.cwl";
  const operation = (id: string, type: string) => `{class: Operation, id: ${id}, inputs: {x: ${type}}, outputs: []}`;
  const text = `cwlVersion: v1.2\n$graph: [${operation("one", "int")}, ${operation("two", "sting")}]\n`;
  const { diagnostics, processes } = await analyze(uri, { reader: { read: async () => text }, parsed: new Map() });
  assert.equal(diagnostics.map(({ code }) => code).join(" "), "unknown-type");
  assert.equal(processes.map(({ name }) => name).join(" "), "one two");
});
