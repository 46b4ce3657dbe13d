import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { newFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";

const LOOPING = `cwlVersion: v1.2
class: Workflow
$namespaces: { cwltool: "http://commonwl.org/cwltool#" }
requirements: { InlineJavascriptRequirement: {} }
inputs: { start: int, wanted: boolean }
outputs: { counts: { type: "int[]", outputSource: count/next } }
steps:
  count:
    run:
      class: ExpressionTool
      inputs: { at: int }
      outputs: { next: int }
      expression: "\${return {next: inputs.at + 1}}"
    in: { at: start }
    out: [next]
    requirements:
      cwltool:Loop: { loopWhen: $(inputs.at < 5), loop: { at: next }, outputMethod: all }
  maybe:
    run: { class: ExpressionTool, inputs: {}, outputs: {}, expression: "\${return {}}" }
    when: $(inputs.wanted)
    in: { wanted: wanted }
    out: []
`;

test("a step that loops or may be skipped says so, with its condition", async ({ page, ownServer }) => {
  const catalog = await newFolder({ "networks/looping/looping.cwl": LOOPING });
  const server = await ownServer({ catalog });
  await page.goto(`${server.url}/network/looping?step=count`);
  await expect(page.getByText("$(inputs.at < 5)")).toBeVisible();
  await expect(page.getByRole("heading", { name: "From the previous iteration" })).toBeVisible();
  await expect(page.getByText("next (a list from all iterations)")).toBeVisible();
  await expect(page.getByRole("treeitem", { name: /count loops/ })).toBeVisible();
  await page.getByRole("treeitem", { name: /maybe conditional/ }).click();
  await expect(page.getByText("Condition", { exact: true })).toBeVisible();
  await expect(page.getByText("$(inputs.wanted)")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
});
