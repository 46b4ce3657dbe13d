import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { describeNode } from "./describe-ports.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: align
inputs: {reads: File, index: File?, names: "string[]"}
outputs: {bam: {type: File, outputBinding: {glob: x}}, log: stdout}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: {reads: File, many: "File[]", maybe: File?, name: string, count: int}
outputs: {bams: {type: "File[]", outputSource: last/bam}}
steps:
  first: {run: tool.cwl, in: {reads: reads}, out: [bam]}
  last: {run: tool.cwl, scatter: reads, in: {reads: many, index: first/bam}, out: [bam]}
`;

async function network() {
  const read = async (uri: string) => (uri.endsWith("tool.cwl") ? TOOL : NETWORK);
  const { process } = await loadDocument("file:///network.cwl", { reader: { read } });
  assert.ok(process?.class === "Workflow");
  return process;
}

async function nodeOf(path: string) {
  return describeNode(await network(), path);
}

function choicesOf(
  port: { readonly choices: readonly { readonly fit: string; readonly source: string }[] } | undefined,
) {
  return port?.choices.map(({ fit, source }) => `${fit} ${source}`);
}

it("offers compatible sources for a port, and none that would create a cycle", async () => {
  const first = await nodeOf("first");
  assert.ok(first?.kind === "step");
  const [reads, index, names] = first.ports;
  assert.deepEqual(choicesOf(reads), ["direct reads", "check maybe", "scatter many"]);
  assert.deepEqual(choicesOf(index), ["direct reads", "direct maybe", "scatter many"]);
  assert.deepEqual(choicesOf(names), ["list name"]);
  assert.deepEqual([reads?.isRequired, index?.isRequired, reads?.sources], [true, false, ["reads"]]);
  const last = await nodeOf("last");
  assert.ok(last?.kind === "step");
  assert.deepEqual(choicesOf(last.ports[1]), ["direct reads", "direct maybe", "direct first/bam", "scatter many"]);
  assert.equal(last.ports[0]?.isScattered, true);
  assert.deepEqual(
    last.outputs.map(({ name, typeText }) => `${name} ${typeText}`),
    ["bam File[]", "log File[]"],
  );
});

it("describes inputs and outputs of the network", async () => {
  assert.deepEqual(await nodeOf("input:count"), {
    kind: "input",
    name: "count",
    label: undefined,
    doc: undefined,
    typeText: "int",
  });
  const output = await nodeOf("output:bams");
  assert.ok(output?.kind === "output");
  assert.deepEqual(choicesOf(output.port), ["direct many", "direct last/bam", "list reads", "list first/bam"]);
  assert.equal(await nodeOf("output:none"), undefined);
});
