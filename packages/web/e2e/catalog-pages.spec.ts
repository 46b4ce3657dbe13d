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

test("two versions of a tool are compared by their effects, then line by line", async ({ page }) => {
  await page.goto("/tool/threshold/2.0.0?tab=diff&with=1.0.0");
  await expect(page.getByRole("heading", { name: "From 1.0.0 to 2.0.0" })).toBeVisible();
  // A default that changes how the threshold is found changes results.
  const method = page
    .getByRole("listitem")
    .filter({ hasText: /^\S.*Input method .* was added with the default "otsu"/ });
  await expect(method).toContainText("results may differ");
  const source = page.getByRole("region", { name: /^Changes of threshold.cwl/ });
  await expect(source.getByText(/^… \d+ unchanged lines?$/).first()).toBeVisible();
  expect(await source.getByText("removed:").count()).toBeGreaterThan(0);
  expect(await source.getByText("added:").count()).toBeGreaterThan(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

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
