import assert from "node:assert/strict";
import { test } from "node:test";
import { createEvaluator } from "../expression/evaluate.ts";
import { NO_SCRIPTS } from "../expression/testing/quickjs-engine.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import type { ResourceRequirement } from "../model/requirement.ts";
import { evaluateResources } from "./evaluate-resources.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const evaluate = (requirement: Omit<ResourceRequirement, "class"> | undefined) => {
  const requirements = effectiveRequirements([
    { requirements: requirement === undefined ? [] : [{ class: "ResourceRequirement", ...requirement }], hints: [] },
  ]);
  return evaluateResources(
    requirements,
    { n: 3, none: null },
    createEvaluator({ script: NO_SCRIPTS, requirements, limits: TEST_LIMITS }),
  );
};

const DEFAULTS = { coresMin: 1, coresMax: undefined, ramMin: 256, ramMax: undefined, tmpdirMin: 1024, outdirMin: 1024 };

const CASES: Readonly<Record<string, readonly [Omit<ResourceRequirement, "class"> | undefined, object]>> = {
  "the defaults": [undefined, DEFAULTS],
  "a maximum alone is the minimum too": [
    { coresMax: 4, ramMax: 100 },
    { ...DEFAULTS, coresMin: 4, coresMax: 4, ramMin: 100, ramMax: 100 },
  ],
  fractions: [
    { coresMin: 0.25, ramMin: 254.1, tmpdirMin: 255.1, outdirMin: 256.1 },
    { ...DEFAULTS, coresMin: 0.25, ramMin: 255, tmpdirMin: 256, outdirMin: 257 },
  ],
  expressions: [
    { coresMin: "$(inputs.n)", ramMin: "$(inputs.none)" },
    { ...DEFAULTS, coresMin: 3 },
  ],
};
for (const [name, [requirement, expected]] of Object.entries(CASES))
  test(name, async () => assert.deepEqual(await evaluate(requirement), expected));

const WRONG: readonly (readonly [string, Omit<ResourceRequirement, "class">, object])[] = [
  ["a maximum below the minimum", { ramMin: 2, ramMax: 1 }, { code: "INPUT_INVALID" }],
  [
    "a negative amount",
    { coresMin: -1 },
    { code: "INPUT_INVALID", place: "requirements.ResourceRequirement.coresMin" },
  ],
  ["a text", { coresMin: "four" }, { code: "EXPRESSION", place: "requirements.ResourceRequirement.coresMin" }],
];
for (const [name, requirement, failure] of WRONG)
  test(`refuses ${name}`, () => assert.rejects(evaluate(requirement), failure));
