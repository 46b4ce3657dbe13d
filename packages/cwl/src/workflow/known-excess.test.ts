import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlObject } from "../model/cwl-value.ts";
import { knownExcess } from "./known-excess.ts";
import { SMALL_LIMITS } from "../testing/test-limits.ts";
import { ECHO, network } from "./testing/small-workflows.ts";

const list = (length: number) => Array.from({ length }, () => "x");
const INPUTS: CwlObject = { a: list(40), b: list(60), long: list(10_001), none: [] };
const each = (run: string, over: string, more = "") => `{run: ${run}, ${more}, in: {${over}}, out: [o]}`;
const TOOL = `{class: ExpressionTool, requirements: [{class: InlineJavascriptRequirement}], inputs: {x: Any, y: Any?, z: Any?}, outputs: {o: Any}, expression: "$({o: 1})"}`;
const INNER = `{class: Workflow, requirements: [{class: ScatterFeatureRequirement}], inputs: {x: Any, l: "Any[]"}, outputs: {o: {type: Any, outputSource: s/o}}, steps: {s: {run: ${ECHO}, scatter: x, in: {x: l}, out: [o]}}}`;
const CROSSED = "scatter: [x, y, z], scatterMethod: flat_crossproduct";

/** The input that causes it and the message; undefined if nothing is known to be too large. */
const CASES: Readonly<Record<string, readonly [string, readonly [string, RegExp] | undefined]>> = {
  "a list that is longer than the limit": [each(ECHO, "x: long", "scatter: x"), ["long", /a scatter of 10,001 jobs/]],
  "a crossproduct of short lists": [each(TOOL, "x: a, y: b, z: a", CROSSED), ["b", /a scatter of 96,000 jobs/]],
  "a list that is a default of the step": [each(ECHO, "x: {source: absent, default: [1]}", "scatter: x"), undefined],
  "nothing to scatter over": [each(TOOL, "x: long, y: long, z: none", CROSSED), undefined],
  "a nested workflow that scatters over what it receives": [each(INNER, "x: a, l: long"), ["long", /10,001 jobs/]],
  "a scattered workflow that scatters": [
    each(INNER, "x: half, l: half", "scatter: x"),
    ["half", /a run of 25,005,000 jobs exceeds the limit of 20,000/],
  ],
  "a scatter over what `when` may skip inside": [each(INNER, "x: a, l: long", "when: $(inputs.x == 1)"), undefined],
  "a list from a step": [`{run: ${ECHO}, in: {x: a}, out: [o]}\n  t: ${each(ECHO, "x: s/o", "scatter: x")}`, undefined],
  "lists of different lengths, which the step reports": [
    each(TOOL, "x: a, y: b", "scatter: [x, y], scatterMethod: dotproduct"),
    undefined,
  ],
};
for (const [name, [step, expected]] of Object.entries(CASES))
  test(`finds ${expected === undefined ? "no" : "an"} excess: ${name}`, async () => {
    const inputs = "a: Any, b: Any, long: Any, none: Any, half: Any, absent: Any?";
    const workflow = await network(inputs, "  []", `  s: ${step.replace(", , ", ", ")}`);
    const found = knownExcess(workflow, { ...INPUTS, half: list(5_000) }, SMALL_LIMITS);
    assert.equal(found?.input, expected?.[0]);
    if (expected !== undefined) assert.match(found?.failure.message ?? "", expected[1]);
  });
