import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asWorkflow, loadSoundDocument } from "../document/testing/load-sound-document.ts";
import { elementsAt, selectSamples, type SampleJob } from "./select-samples.ts";

const OPERATION = "{class: Operation, inputs: {x: Any, y: Any?}, outputs: {o: Any}}";
const network = (steps: string) => `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, SubworkflowFeatureRequirement: {} }
inputs: { a: Any, b: { type: Any, default: [3, 4, 5] }, c: Any, d: Any }
outputs: []
steps:
${steps}`;
const step = (id: string, scatter: string, links: string) =>
  `  ${id}: {run: ${OPERATION}, ${scatter === "" ? "" : `scatter: ${scatter}, `}in: {${links}}, out: [o]}\n`;
const INPUTS = { a: ["one", "two", "three"], c: ["left", "right"], d: ["x", "y", "z"] };
const job = (path: string, ...scatterIndex: number[]): SampleJob => ({ step: path, scatterIndex });

async function places(steps: string, jobs: readonly SampleJob[]) {
  const process = asWorkflow(await loadSoundDocument({ "a.cwl": network(steps) }));
  const kept = selectSamples(process, INPUTS, jobs);
  return Object.fromEntries([...kept].map(([input, at]) => [input, [...at]]));
}

describe("selectSamples", () => {
  const aligned = step("s", "[x, y], scatterMethod: dotproduct", "x: a, y: b");
  const crossed = step("s", "[x, y], scatterMethod: flat_crossproduct", "x: a, y: c");
  const named = step("n", "", "x: d, y: c") + step("s", "[x, y], scatterMethod: dotproduct", "x: a, y: n/o");
  const cases: Readonly<Record<string, readonly [string, readonly SampleJob[], object]>> = {
    "in every list that is scattered together, including a default": [
      aligned,
      [job("s", 2), job("s", 0)],
      { a: [2, 0], b: [2, 0] },
    ],
    "from jobs within a nested network": [aligned, [job("s/inner", 1, 7)], { a: [1], b: [1] }],
    "of crossed lists, each by its own position": [crossed, [job("s", 0, 1), job("s", 2, 1)], { a: [0, 2], c: [1] }],
    "in a list of the same length that comes through a step": [named, [job("s", 1)], { a: [1], d: [1] }],
    "once, even if later steps use them": [
      step("s", "x", "x: a") + step("t", "x", "x: s/o"),
      [job("s", 1), job("t", 1)],
      { a: [1] },
    ],
    "nowhere, if the network makes the list itself": [
      step("n", "", "x: c") + step("s", "x", "x: n/o"),
      [job("s", 1)],
      {},
    ],
    "nowhere, if nothing is scattered": [step("s", "", "x: a"), [job("s")], {}],
    "nowhere, without a job": [aligned, [], {}],
  };
  for (const [name, [steps, jobs, expected]] of Object.entries(cases))
    it(`finds elements ${name}`, async () => assert.deepEqual(await places(steps, jobs), expected));

  it("keeps the order of a list", () => assert.deepEqual(elementsAt(["a", "b", "c"], new Set([2, 0])), ["a", "c"]));
});
