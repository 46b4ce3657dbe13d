import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { newFolder, writeFiles } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'cat "$0"']
arguments: [$(inputs.text)]
inputs: { text: File }
stdout: said.txt
outputs: { said: stdout }
`;
const GIVEN = 'inputs: { text: { class: File, basename: t.txt, location: "data:,one" } }';

test("the tests of a tool run on the server, and their results stay", async ({ page, ownServer }) => {
  const catalog = await newFolder({
    "tools/say/1.0.0/say.cwl": TOOL,
    "tools/say/1.0.0/tests/good.yml": `doc: Says it.\n${GIVEN}\noutputs: { said: { contents: one } }\n`,
    "tools/say/1.0.0/tests/bad.yml": `${GIVEN}\noutputs: { said: { contains: two } }\n`,
    "tools/say/1.0.0/tests/wrong.yml": "outputs: { said: { sise: 1 } }\n",
  });
  const server = await ownServer({ catalog });
  await page.goto(`${server.url}/tool/say/1.0.0?tab=tests`);
  const row = (name: string) => page.getByRole("row").filter({ hasText: new RegExp(`^${name}`) });
  await expect(row("good")).toContainText("Not run yet");
  await expect(row("wrong")).toContainText("tools/say/1.0.0/tests/wrong.yml:1:20");
  await page.getByRole("button", { name: "Run all tests" }).click();
  await expect(row("good")).toContainText("Passed");
  await expect(row("bad")).toContainText('outputs.said.contains does not contain "two"');
  await expect(page.getByText("1 of 3 tests passed with the current document")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await row("good").getByRole("link", { name: "Show run" }).click();
  await expect(page.getByRole("heading", { name: "Test good of say" })).toBeVisible();

  // A change of the document makes results outdated; a broken expression prevents runs, and the page says why.
  await writeFiles(catalog, { "tools/say/1.0.0/say.cwl": TOOL.replace("$(inputs.text)", "$(inputs.txet)") });
  await page.goto(`${server.url}/tool/say/1.0.0?tab=tests`);
  await expect(row("good")).toContainText("Changed since");
  await expect(page.getByRole("button", { name: "Run all tests" })).toHaveCount(0);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("This tool cannot run. Its document has an error:");
  await expect(alert).toContainText(/tools\/say\/1\.0\.0\/say\.cwl:4:\d+ .*txet/);
  await alert.getByRole("link", { name: "Show in the source" }).click();
  await expect(page.getByRole("tab", { name: "Source", exact: true })).toHaveAttribute("aria-selected", "true");
});
