import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadDocument } from "../document/load-document.ts";
import { memoryDocumentReader } from "../document/memory-document-reader.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { selectSamples } from "./select-samples.ts";

const OPERATION = "{class: Operation, inputs: {x: Any, y: Any?}, outputs: {o: Any}}";
const network = (steps: string) => `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, SubworkflowFeatureRequirement: {} }
inputs: { a: "Any", b: { type: "Any", default: [3, 4, 5] }, c: Any }
outputs: []
steps:
${steps}`;
const ALIGNED = `  s: {run: ${OPERATION}, scatter: [x, y], scatterMethod: dotproduct, in: {x: a, y: b}, out: [o]}\n`;
const GATHER = `  g: {run: ${OPERATION}, in: {x: s/o, y: c}, out: [o]}\n`;
const LATER = `  t: {run: ${OPERATION}, scatter: x, in: {x: s/o}, out: [o]}\n`;
const CROSSED = `  s: {run: ${OPERATION}, scatter: [x, y], scatterMethod: flat_crossproduct, in: {x: a, y: c}, out: [o]}\n`;
const file = (basename: string) => ({ class: "File", basename }) as const;
const INPUTS: CwlObject = { a: [file("one.txt"), file("two.txt"), file("three.txt")], c: ["left", "right"] };

async function select(steps: string, wanted: readonly string[], names: ReadonlyMap<string, readonly string[]>) {
  const uri = "file:///net.cwl";
  const { process } = await loadDocument(uri, { reader: memoryDocumentReader({ [uri]: network(steps) }) });
  assert.ok(process?.class === "Workflow");
  return selectSamples(process, { inputs: INPUTS, names }, new Set(wanted));
}

describe("selectSamples", () => {
  it("keeps the elements of the samples in every list that is scattered with theirs, a default too", async () => {
    const { inputs, known } = await select(ALIGNED + GATHER + LATER, ["three", "one"], new Map());
    assert.deepEqual(inputs, { a: [file("one.txt"), file("three.txt")], b: [3, 5] });
    assert.deepEqual(known, ["one", "two", "three"]);
  });

  it("goes by the names that came with the inputs, and shortens them too", async () => {
    const names = new Map([["a", ["sub-01", "sub-02", "sub-03"]]]);
    const selected = await select(ALIGNED, ["sub-02"], names);
    assert.deepEqual(selected.inputs, { a: [file("two.txt")], b: [4] });
    assert.deepEqual([...selected.names], [["a", ["sub-02"]]]);
  });

  it("keeps of crossed lists what the wanted pairs are made of", async () => {
    const { inputs, known } = await select(CROSSED, ["one-left", "two-left"], new Map());
    assert.deepEqual(inputs, { a: [file("one.txt"), file("two.txt")], c: ["left"] });
    assert.equal(known.length, 6);
  });

  it("knows no sample where nothing is scattered over the network's own inputs", async () => {
    const { inputs, known } = await select(`  s: {run: ${OPERATION}, in: {x: a}, out: [o]}\n`, ["one"], new Map());
    assert.deepEqual([inputs, known], [{}, []]);
  });

  it("knows no sample of lists that cannot be aligned", async () => {
    const unequal = ALIGNED.replace("y: b}", "y: c}");
    assert.deepEqual((await select(unequal, ["one"], new Map())).known, []);
  });
});
