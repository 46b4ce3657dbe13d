import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { describeNode } from "./describe-ports.ts";
import { portsOfSteps } from "./drawn-ports.ts";
import { applyGesture } from "./network-gesture.ts";
import { compatiblePorts, waysToConnect } from "./ways-to-connect.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: align
inputs: {reads: File, index: File?, names: "string[]", sheet: {type: File?, format: "http://e.org/csv"}}
outputs: {bam: {type: File, outputBinding: {glob: x}}, log: stdout}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}, MultipleInputFeatureRequirement: {}}
inputs: {reads: File, many: "File[]", maybe: File?, name: string, names: "string[]", count: int}
outputs: {bams: {type: "File[]", outputSource: last/bam}, picked: {type: File, outputSource: maybe}}
steps:
  first: {run: tool.cwl, in: {reads: reads, names: names}, out: [bam]}
  last: {run: tool.cwl, scatter: reads, in: {reads: many, index: first/bam}, out: [bam]}
`;

async function network(text = NETWORK) {
  const read = async (uri: string) => (uri.endsWith("tool.cwl") ? TOOL : text);
  const { process } = await loadDocument("file:///network.cwl", { reader: { read } });
  assert.ok(process?.class === "Workflow");
  return process;
}

async function compatibleNames(source: string) {
  return compatiblePorts(await network(), source).map(({ path, port }) => `${path} ${port}`);
}

/** The ways: the kind, the port and what it replaces. */
async function ways(source: string, path: string, port?: string) {
  const found = waysToConnect(await network(), source, { path, ...(port === undefined ? {} : { port }) });
  return found.map(({ kind, place, replaces }) => [kind, place.port, ...replaces].join(" "));
}

describe("a line from a port", () => {
  it("can end at ports with a compatible type, unless it would close a cycle", async () => {
    assert.deepEqual(await compatibleNames("count"), []);
    assert.deepEqual(await compatibleNames("name"), ["first names", "last names"]);
    assert.deepEqual(await compatibleNames("last/bam"), []);
    const outputs = ["output:bams bams", "output:picked picked"];
    assert.deepEqual(await compatibleNames("first/bam"), ["last reads", "last sheet", ...outputs]);
    assert.deepEqual(await compatibleNames("first/log"), ["last reads", "last index", "last sheet", ...outputs]);
    assert.deepEqual(await compatibleNames("none"), []);
    assert.deepEqual(await compatibleNames("first/none"), []);
  });

  it("asks for the meaning of an ambiguous line", async () => {
    assert.deepEqual(await ways("reads", "first", "index"), ["direct index"]);
    assert.deepEqual(await ways("maybe", "first", "reads"), ["first reads", "only reads", "check reads reads"]);
    assert.deepEqual(await ways("many", "first", "reads"), ["scatter reads reads"]);
    assert.deepEqual(await ways("many", "last", "index"), ["pair index first/bam", "cross index first/bam"]);
    assert.deepEqual(await ways("name", "last"), ["list names"]);
    assert.deepEqual(await ways("name", "first"), ["joined names", "list names names"]);
    assert.deepEqual(await ways("reads", "first", "sheet"), ["format sheet", "direct sheet"]);
    assert.deepEqual(await ways("first/bam", "output:bams"), ["joined bams", "list bams last/bam"]);
  });

  it("leaves a valid network after each choice", async () => {
    const drawn = await network();
    for (const source of ["reads", "many", "maybe", "name", "names", "first/bam", "first/log", "last/log"])
      for (const place of compatiblePorts(drawn, source))
        for (const way of waysToConnect(drawn, source, place)) {
          const text = way.gestures.reduce((before, gesture) => applyGesture(before, gesture) ?? "", NETWORK);
          const after = await network(text);
          const step = after.steps.find(({ id }) => id === place.path);
          const link =
            step?.in.find(({ id }) => id === place.port) ?? after.outputs.find(({ id }) => id === place.port);
          assert.ok(JSON.stringify(link).includes(`"${source}"`), `${way.kind} ${text}`);
        }
  });

  it("declares the format that a file needs", async () => {
    const [way] = waysToConnect(await network(), "reads", { path: "first", port: "sheet" });
    const text = way?.gestures.reduce((before, gesture) => applyGesture(before, gesture) ?? "", NETWORK) ?? "";
    const { inputs } = await network(text);
    assert.deepEqual(inputs.find(({ id }) => id === "reads")?.format, ["http://e.org/csv"]);
  });
});

it("the ports of steps show connections and missing values", async () => {
  const { first, last } = portsOfSteps(await network());
  const summaries = (ports: typeof first) =>
    [...(ports?.inputs ?? []), ...(ports?.outputs ?? [])].map(
      ({ name, typeText, isConnected, isMissing }) =>
        `${name} ${typeText}${isConnected ? " connected" : ""}${isMissing ? " missing" : ""}`,
    );
  assert.deepEqual(summaries(first), [
    ...["reads File connected", "index File?", "names string[] connected", "sheet File?"],
    ...["bam File connected", "log File"],
  ]);
  assert.ok(summaries(last).includes("names string[] missing"));
});

function choicesOf(
  port: { readonly choices: readonly { readonly fit: string; readonly source: string }[] } | undefined,
) {
  return port?.choices.map(({ fit, source }) => `${fit} ${source}`);
}

it("offers compatible sources for a port, and none that would create a cycle", async () => {
  const first = describeNode(await network(), "first");
  assert.ok(first?.kind === "step");
  const [reads, index, names] = first.ports;
  assert.deepEqual(choicesOf(reads), ["direct reads", "check maybe", "scatter many"]);
  assert.deepEqual(choicesOf(index), ["direct reads", "direct maybe", "scatter many"]);
  assert.deepEqual(choicesOf(names), ["direct names", "list name"]);
  assert.deepEqual([reads?.isRequired, index?.isRequired, reads?.sources], [true, false, ["reads"]]);
  const last = describeNode(await network(), "last");
  assert.ok(last?.kind === "step");
  assert.deepEqual(choicesOf(last.ports[1]), ["direct reads", "direct maybe", "direct first/bam", "scatter many"]);
  assert.equal(last.ports[0]?.isScattered, true);
  const shown = last.outputs.map(({ name, typeText }) => `${name} ${typeText}`);
  assert.deepEqual(shown, ["bam File[]", "log File[]"]);
});

it("describes inputs and outputs of the network", async () => {
  const count = { kind: "input", name: "count", label: undefined, doc: undefined, typeText: "int" };
  assert.deepEqual(describeNode(await network(), "input:count"), count);
  const output = describeNode(await network(), "output:bams");
  assert.ok(output?.kind === "output");
  assert.deepEqual(choicesOf(output.port), ["direct many", "direct last/bam", "list reads", "list first/bam"]);
  assert.equal(describeNode(await network(), "output:none"), undefined);
});
