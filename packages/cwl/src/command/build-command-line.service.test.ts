import assert from "node:assert/strict";
import { test } from "node:test";
import { createEvaluator } from "../expression/evaluate.ts";
import { createQuickjsEngine } from "../expression/testing/quickjs-engine.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import { neverGiveWay } from "../give-way.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import { buildCommandLine } from "./build-command-line.ts";
import { loadTool } from "./testing/load-process.ts";

test("buildCommandLine accepts a list that is longer than the maximum number of arguments of a call", async () => {
  const binding = "inputs: {v: {type: 'string[]', inputBinding: {prefix: -l}}}";
  const tool = await loadTool(
    `requirements: {InlineJavascriptRequirement: {}}\noutputs: []\nbaseCommand: x\n${binding}`,
  );
  const requirements = effectiveRequirements([tool]);
  const evaluator = createEvaluator({ script: createQuickjsEngine(), requirements, limits: TEST_LIMITS });
  const inputs = { v: Array.from({ length: 150_000 }, (_, at) => `${at}`) };
  const context = { inputs, runtime: { outdir: "/out", cores: 3 } };
  const words = await buildCommandLine({ tool, inputs, shell: false, evaluator, context, giveWay: neverGiveWay });
  assert.equal(words.join(" "), `x -l ${inputs.v.join(" ")}`);
});
