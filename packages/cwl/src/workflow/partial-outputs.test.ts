import assert from "node:assert/strict";
import { test } from "node:test";
import { loadWorkflow } from "../command/testing/load-process.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import { partialOutputs, type RecordedCall } from "./partial-outputs.ts";

const TOOL = "{class: Operation, inputs: {x: Any?, y: Any?}, outputs: {o: Any}}";
const ALL = "[{class: ScatterFeatureRequirement}, {class: SubworkflowFeatureRequirement}]";

/** The output of each call, by call ID without brackets (`step 0,1`); undefined if the call failed. */
type Calls = Readonly<Record<string, number | undefined>>;

function callsOf(calls: Calls): readonly RecordedCall[] {
  return Object.entries(calls).map(([id, value]) => {
    const [step = "", index = ""] = id.split(" ");
    const scatterIndex = index === "" ? [] : index.split(",").map(Number);
    return { step, scatterIndex, outputs: value === undefined ? undefined : { o: value } };
  });
}

async function partial(steps: string, calls: Calls, { inputs = {}, mostPlaces = 1000, output = "s/o" } = {}) {
  const workflow = await loadWorkflow(`
requirements: ${ALL}
inputs: {a: Any, b: Any}
outputs: {r: {type: Any, outputSource: ${output}}}
steps:
${steps}`);
  const options = { inputs: inputs as CwlObject, calls: callsOf(calls), limits: TEST_LIMITS, mostPlaces };
  const found = partialOutputs(workflow, options);
  const missing = found.missing.map(({ output: id, step, scatterIndex }) => `${id}: ${step} ${scatterIndex.join(",")}`);
  return { value: found.outputs["r"], missing, isWhole: found.isWhole };
}

const PLAIN = `  s: {run: ${TOOL}, in: {x: a}, out: [o]}`;
const SCATTER = `  s: {run: ${TOOL}, scatter: x, in: {x: a}, out: [o]}`;
const CHAIN = `${SCATTER}\n  t: {run: ${TOOL}, scatter: x, in: {x: s/o}, out: [o]}`;
const crossed = (method: string): string =>
  `  s: {run: ${TOOL}, scatter: [x, y], scatterMethod: ${method}, in: {x: a, y: b}, out: [o]}`;
const nested = (inner: string): string => `  s:
    scatter: x
    in: {x: a}
    out: [o]
    run:
      class: Workflow
      inputs: {x: Any}
      outputs: {o: {type: Any, outputSource: last/o}}
      steps:
        first: {run: ${TOOL}, in: {x: x}, out: [o]}
        last: {run: ${TOOL}, ${inner}in: {x: first/o}, out: [o]}`;

test("lists the produced and missing outputs of an unfinished workflow", async () => {
  const three = { a: [1, 2, 3] };
  const cases: [string, Calls, Parameters<typeof partial>[2], unknown, readonly string[]][] = [
    [PLAIN, { s: 4 }, {}, 4, []],
    [PLAIN, { s: undefined }, {}, null, ["r: s "]],
    [PLAIN, {}, {}, null, ["r: s "]],
    [SCATTER, { "s 0": 4, "s 1": undefined }, { inputs: three }, [4, null, null], ["r: s 1", "r: s 2"]],
    // Nothing is known of the list: neither its length nor a call.
    [SCATTER, {}, {}, null, ["r: s "]],
    [SCATTER, {}, { inputs: { a: [] } }, [], []],
    // A step after a scattered one is as wide as that one, although it has no calls yet.
    [CHAIN, { "s 2": 1 }, { output: "t/o" }, [null, null, null], ["r: t 0", "r: t 1", "r: t 2"]],
    [crossed("nested_crossproduct"), { "s 0,1": 5, "s 1,0": 6 }, {}, [[null, 5], [6]], ["r: s 0,0"]],
    [
      crossed("flat_crossproduct"),
      { "s 0,1": 5, "s 1,0": 6 },
      { inputs: { a: [1, 2], b: [1, 2] } },
      [null, 5, 6, null],
      ["r: s 0,0", "r: s 1,1"],
    ],
    [crossed("dotproduct"), { "s 1": 6 }, {}, [null, 6], ["r: s 0"]],
    [
      nested(""),
      { "s/first 0": 1, "s/last 0": 2, "s/first 1": undefined, "s/first 2": 3 },
      { inputs: three },
      [2, null, null],
      ["r: s/last 1", "r: s/last 2"],
    ],
    [
      nested("scatter: x, "),
      { "s/first 0": 1, "s/last 0,0": 2, "s/last 0,2": 3, "s/first 1": 1 },
      { inputs: { a: [1, 2] } },
      [[2, null, 3], null],
      ["r: s/last 0,1", "r: s/last 1"],
    ],
  ];
  for (const [steps, calls, options, value, missing] of cases)
    assert.deepEqual(await partial(steps, calls, options), { value, missing, isWhole: true }, steps);
});

test("the walk stops after `mostPlaces` places", async () => {
  const huge = Array.from({ length: 1000 }, () => 0);
  const options = { inputs: { a: huge, b: huge }, mostPlaces: 50 };
  const { missing, isWhole } = await partial(crossed("flat_crossproduct"), { "s 0,0": 1 }, options);
  assert.equal(isWhole, false);
  assert.equal(missing.length, 49);
});
