import { expect, type Locator, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { waitForEnd } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { workbenchCatalog } from "./workbench-catalog.ts";
import { addNames, addStep, idOf, replaceText } from "./page-actions.ts";

test("from a pasted command to a tested network that runs on six samples, without typing its text", async ({
  page,
  ownServer,
}) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  await makeTool(page, url);
  const editor = await drawNetwork(page, url);
  await expect(page.getByText("No problems")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("tab", { name: "Try it" }).click();
  await page.getByRole("button", { name: "YAML" }).click();
  await page.getByRole("textbox", { name: /YAML/ }).fill("names: [Ann, Bob]");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByText("Succeeded", { exact: true }).first()).toBeVisible();
  await page.getByRole("link", { name: "Draft", exact: true }).click();
  await expect(editor).toContainText("scatter: name");

  await addTest(page);
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish shout-greetings" });
  await expect(dialog.getByText("1 of 1 passed")).toBeVisible();
  await dialog.getByRole("button", { name: "Publish 1.0.0" }).click();
  await expect(page).toHaveURL(`${url}/network/shout-greetings?v=1.0.0`);

  await page
    .getByRole("link", { name: "Run", exact: true })
    .or(page.getByRole("tab", { name: "Run" }))
    .first()
    .click();
  await page.getByRole("button", { name: "YAML" }).click();
  await page.getByRole("textbox", { name: /YAML/ }).fill("names: [Ann, Bob, Cleo, Dan, Eve, Finn]");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/run\//);
  const { state, job_counts: counts } = await waitForEnd(page.request, idOf(page), url);
  expect([state, counts]).toEqual(["COMPLETE", { COMPLETE: 24 }]);
});

/** Makes a tool from a command line. */
async function makeTool(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/tools/new`);
  await page.getByRole("textbox", { name: "ID of the tool" }).fill("sort-lines");
  await page.getByRole("textbox", { name: "Command line (optional)" }).fill("sort names.txt > sorted.txt");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByRole("textbox", { name: "Text of sort-lines" })).toContainText("stdout: sorted.txt");
  await expect(page.getByText("No problems")).toBeVisible();
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish 1.0.0" }).click();
  await expect(page).toHaveURL(`${url}/tool/sort-lines/1.0.0`);
}

/** Draws a network that greets each name, sorts the greeting, counts its lines, and counts those of the count. */
async function drawNetwork(page: Page, url: string): Promise<Locator> {
  await page.goto(`${url}/networks/new`);
  await page.getByRole("textbox", { name: "ID of the network" }).fill("shout-greetings");
  await page.getByRole("button", { name: "Create draft" }).click();
  const editor = page.getByRole("textbox", { name: "Text of shout-greetings" });
  await addNames(page);
  await addStep(page, "greet");
  await page.getByText("1 optional input").click();
  await page.getByLabel("Connect name", { exact: true }).selectOption("names");
  // The step takes a single name, so it runs once for each name of the list.
  await expect(page.getByLabel("Run once for each item")).toBeChecked();
  await expect(editor).toContainText("scatter: name");
  await addStep(page, "sort-lines");
  await page.getByLabel("Connect names", { exact: true }).selectOption("greet/greeting");
  await addStep(page, "count lines");
  await page.getByLabel("Connect text", { exact: true }).selectOption("sort_lines/standard_output");
  await page.getByRole("button", { name: "Make network output: count" }).click();
  await addStep(page, "count lines");
  await expect(page.getByRole("heading", { level: 2, name: "count_3" })).toBeVisible();
  const text = page.getByLabel("Connect text", { exact: true });
  await expect(text.locator("option", { hasText: "count_3/" })).toHaveCount(0);
  await text.selectOption("count/count");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "New name" }).fill("recount");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(editor).toContainText("recount:");
  await page.getByRole("button", { name: "Make network output: count" }).click();

  // Undo includes the drawing; the text and the drawing still show one document.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(editor).not.toContainText("recount/count");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(editor).toContainText("recount/count");
  return editor;
}

/** Adds a test with one name, for which the number of lines is known. */
async function addTest(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Files" }).click();
  await page.getByRole("textbox", { name: "New file" }).fill("tests/one.yml");
  await page.getByRole("button", { name: "Add file" }).click();
  const text = page.getByRole("textbox", { name: "Text of tests/one.yml" });
  await expect(text).toHaveText(/^# .*inputs: \{\}outputs: \{\}$/);
  await replaceText(text, "inputs: {names: [Ann]}\noutputs: {count_2: [{lines: 1}]}\n");
}
