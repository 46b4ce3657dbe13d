import assert from "node:assert/strict";
import { test } from "node:test";
import { loadProcess } from "../command/testing/load-process.ts";
import { processAtStep } from "./process-at-step.ts";

const NESTED = `class: Workflow
requirements: {SubworkflowFeatureRequirement: {}, InlineJavascriptRequirement: {}, ResourceRequirement: {coresMin: 1}}
hints: {DockerRequirement: {dockerPull: "outer:1"}}
inputs: {}
outputs: {}
steps:
  outer:
    in: {}
    out: []
    requirements: {ResourceRequirement: {coresMin: 2}}
    run:
      class: Workflow
      inputs: {}
      outputs: {}
      steps:
        inner:
          in: {}
          out: []
          run: {class: CommandLineTool, baseCommand: say, inputs: {}, outputs: {}, hints: {DockerRequirement: {dockerPull: "inner:1"}}}`;

test("a standalone process has its inherited requirements, the nearest of each class", async () => {
  const found = processAtStep(await loadProcess(NESTED), "outer/inner");
  assert.ok(found?.standalone.class === "CommandLineTool");
  const shown = found.standalone.requirements.map((requirement) => requirement.class);
  assert.deepEqual(shown, ["InlineJavascriptRequirement", "ResourceRequirement"]);
  assert.equal(found.requirements.get("ResourceRequirement")?.coresMin, 2);
  assert.equal(found.requirements.get("DockerRequirement")?.dockerPull, "inner:1");
  const alone = processAtStep(found.standalone, "");
  for (const name of ["ResourceRequirement", "DockerRequirement", "InlineJavascriptRequirement"] as const)
    assert.deepEqual(alone?.requirements.get(name), found.requirements.get(name), name);
});

test("the empty path selects the outermost process, and an unknown path none", async () => {
  const process = await loadProcess(NESTED);
  assert.equal(processAtStep(process, "")?.process, process);
  for (const path of ["other", "outer/other", "outer/inner/more"])
    assert.equal(processAtStep(process, path), undefined);
});
