import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { newFolder } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { COUNT, GREETINGS, workbenchCatalog } from "./workbench-catalog.ts";

test("a folder of CWL files becomes drafts, which are published together", async ({ page, ownServer, watch }) => {
  const network = GREETINGS.replace("../../tools/greet/1.0.0/greet.cwl", "tools/lines.cwl")
    .replaceAll("name: string", "name: File")
    .replace("name: name", "text: name")
    .replace("out: [greeting]", "out: [count]")
    .replace("greet/greeting", "greet/count");
  const folder = await newFolder({ "tools/lines.cwl": COUNT, "count-lines.cwl": network });
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  await page.goto(`${url}/networks`);
  await page.getByRole("link", { name: "Import" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Import tools and networks" })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  // Nothing is fetched from hosts that the administrator has not allowed.
  await page.getByRole("textbox", { name: "URL, or TRS address" }).fill("https://example.org/a.cwl");
  await page.getByRole("button", { name: "Import from URL" }).click();
  await expect(page.getByRole("alert")).toContainText("cannot be imported");
  watch.consoleErrors.length = 0; // the browser reports the refused request by itself

  await page.getByLabel("Choose a folder").setInputFiles(folder);
  await expect(page).toHaveURL(/\/draft-groups\//);
  const report = page.getByRole("list", { name: "Report" });
  await expect(report).toContainText("becomes the network count-lines 1.0.0");
  await expect(report).toContainText("becomes the tool lines 1.0.0");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "count-lines", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Text of count-lines" });
  await expect(editor).toContainText("run: ../../../tools/lines/1.0.0/lines.cwl");
  await expect(page.getByText("No problems")).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Publish 2 drafts" }).click();
  await expect(page).toHaveURL(`${url}/networks`);
  await page.goto(`${url}/network/count-lines`);
  await expect(page.getByRole("heading", { level: 1, name: "Greetings" })).toBeVisible();
});
