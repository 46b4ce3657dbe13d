import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asWorkflow, loadSoundDocument } from "../document/testing/load-sound-document.ts";
import { typeText } from "../model/type-text.ts";
import { selectProcess, selectStep } from "./select-step.ts";
import { selectTargets } from "./select-targets.ts";

const OPERATION = "{class: Operation, inputs: {x: int}, outputs: {o: string}}";
const NETWORK = asWorkflow(
  await loadSoundDocument({
    "a.cwl": `cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}, NetworkAccess: {networkAccess: true}}
hints: {ResourceRequirement: {coresMin: 2}}
inputs: {p: int, q: "int[]", unused: int?}
outputs:
  first: {type: string, outputSource: one/o}
  last: {type: "string[]", outputSource: three/o}
  many: {type: "string[]", outputSource: two/o}
steps:
  one: {run: ${OPERATION}, in: {x: p}, out: [o]}
  two: {run: ${OPERATION}, scatter: x, in: {x: q}, out: [o]}
  three:
    run: {class: Operation, inputs: {x: string, y: "string[]", z: "int?"}, outputs: {o: "string[]"}}
    hints: {ResourceRequirement: {coresMin: 3}}
    in: {x: one/o, y: two/o, z: {default: 5}}
    out: [o]
`,
  }),
);

function selected(...targets: string[]) {
  const selection = selectTargets(NETWORK, targets);
  if (selection.kind === "unknown") return selection.names;
  const { inputs, steps, outputs } = selection.workflow;
  return {
    inputs: inputs.map(({ id, type }) => `${id}: ${typeText(type)}`),
    steps: steps.map(({ id }) => id),
    outputs: outputs.map(({ id }) => id),
  };
}

describe("selectTargets", () => {
  const all = ["one", "two", "three"];
  const cases: Readonly<Record<string, readonly [string[], unknown]>> = {
    "an output: the steps before it": [["first"], { inputs: ["p: int"], steps: ["one"], outputs: ["first"] }],
    "outputs: the steps before any of them": [
      ["last", "first"],
      { inputs: ["p: int", "q: int[]"], steps: all, outputs: ["first", "last"] },
    ],
    "a step: the steps after it, with inputs in place of other steps": [
      ["one"],
      { inputs: ["p: int", "two_o: string[]"], steps: ["one", "three"], outputs: ["first", "last"] },
    ],
    "the last step: nothing before it": [
      ["three"],
      { inputs: ["one_o: string", "two_o: string[]"], steps: ["three"], outputs: ["last"] },
    ],
    "an input: the steps that follow": [
      ["q"],
      { inputs: ["q: int[]", "one_o: string"], steps: ["two", "three"], outputs: ["last", "many"] },
    ],
    "unknown names: none": [
      ["first", "nope", "one/o"],
      ["nope", "one/o"],
    ],
  };
  for (const [name, [targets, expected]] of Object.entries(cases))
    it(`selects ${name}`, () => assert.deepEqual(selected(...targets), expected));
});

describe("selectStep", () => {
  it("turns links into inputs, and keeps defaults", () => {
    const { inputs = [], steps = [], outputs = [] } = selectStep(NETWORK, "three") ?? {};
    const found = inputs.map(({ id, type }) => `${id}: ${typeText(type)}`);
    assert.deepEqual(found, ["x: string", "y: string[]"]);
    const shown = steps.map((step) => step.in.map(({ source }) => source));
    assert.deepEqual(shown, [[["x"], ["y"], []]]);
    const actual = outputs.map(({ outputSource }) => outputSource?.source);
    assert.deepEqual(actual, [["three/o"]]);
  });

  it("takes lists for scattered inputs, and returns undefined for an unknown step", () => {
    const types = selectStep(NETWORK, "two")?.inputs.map(({ type }) => typeText(type));
    assert.deepEqual(types, ["int[]"]);
    assert.equal(selectStep(NETWORK, "nope"), undefined);
  });
});

describe("selectProcess", () => {
  it("inherits requirements and the nearest hints", () => {
    const { class: kind, requirements, hints } = selectProcess(NETWORK, "three") ?? assert.fail();
    assert.equal(kind, "Operation");
    assert.ok(requirements.some((requirement) => requirement.class === "NetworkAccess"));
    const cores = hints.map((hint) => (hint.class === "ResourceRequirement" ? hint.coresMin : hint.class));
    assert.deepEqual(cores, [3]);
  });
});
