import assert from "node:assert/strict";
import { test } from "node:test";
import { loadWorkflow } from "../command/testing/load-process.ts";
import { elementOutputs } from "./element-outputs.ts";

const TOOL = "{class: Operation, inputs: {x: Any?, y: Any?}, outputs: {o: Any}}";

test("elementOutputs finds the lists that have one element per job", async () => {
  const workflow = await loadWorkflow(`
requirements: [{class: ScatterFeatureRequirement}, {class: MultipleInputFeatureRequirement}]
inputs: {a: Any, b: Any}
outputs:
  each: {type: Any, outputSource: s/o}
  flat: {type: Any, outputSource: flat/o}
  nested: {type: Any, outputSource: nested/o}
  one: {type: Any, outputSource: t/o}
  input: {type: Any, outputSource: a}
  merged: {type: Any, outputSource: [s/o, t/o]}
  list: {type: Any, outputSource: [s/o]}
  picked: {type: Any, outputSource: s/o, pickValue: all_non_null}
steps:
  s: {run: ${TOOL}, scatter: x, in: {x: a}, out: [o]}
  flat: {run: ${TOOL}, scatter: [x, y], scatterMethod: flat_crossproduct, in: {x: a, y: b}, out: [o]}
  nested: {run: ${TOOL}, scatter: [x, y], scatterMethod: nested_crossproduct, in: {x: a, y: b}, out: [o]}
  t: {run: ${TOOL}, in: {x: a}, out: [o]}`);
  assert.deepEqual(Object.fromEntries(elementOutputs(workflow)), {
    each: { step: "s", isOfOneElement: true },
    flat: { step: "flat", isOfOneElement: false },
  });
});
