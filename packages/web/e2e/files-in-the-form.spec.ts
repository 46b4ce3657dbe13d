import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { readRun } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("files are uploaded and picked from the data folders, and the run reads them", async ({ page, request }) => {
  await page.goto("/network/text-statistics?tab=run");
  await page.getByLabel("Upload for Texts").setInputFiles([
    { name: "first.txt", mimeType: "text/plain", buffer: Buffer.from("one two two\n") },
    { name: "second.txt", mimeType: "text/plain", buffer: Buffer.from("three three three\n") },
  ]);
  await expect(page.getByRole("grid", { name: "Samples" }).getByText("second.txt")).toBeVisible();
  await page.getByRole("group", { name: "Input view" }).getByRole("button", { name: "JSON" }).click();
  const json = JSON.parse(await page.getByRole("textbox", { name: "Input object" }).inputValue());
  expect(json.texts.map((file: { basename: string }) => file.basename)).toEqual(["first.txt", "second.txt"]);
  await page.getByRole("button", { name: "Form", exact: true }).click();

  await page.getByRole("button", { name: "Browse data folders…" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "catalog" }).click();
  await dialog.getByRole("button", { name: "data", exact: true }).click();
  await dialog.getByRole("button", { name: "texts" }).click();
  await dialog.getByRole("combobox", { name: "Sort by" }).selectOption({ label: "Largest first" });
  await dialog.getByRole("button", { name: /^Select all/ }).click();
  await dialog.getByRole("button", { name: "Deselect all" }).click();
  await dialog.getByRole("searchbox", { name: "Filter by name" }).fill("HOUSE");
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await dialog.getByRole("button", { name: /lighthouse\.txt/ }).press("Enter");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add 1 file" }).click();
  await expect(page.getByRole("grid").locator('[data-cell="2 1"]')).toContainText("lighthouse.txt");

  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/run\//);
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible({ timeout: 40_000 });
  const run = await readRun(request, new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(run.samples.toSorted()).toEqual(["first", "lighthouse", "second"]);
});

test("a single tool is tried from its page", async ({ page }) => {
  await page.goto("/tool/threshold?tab=try");
  await page
    .getByRole("button", { name: /Use example/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText("Tool threshold")).toBeVisible();
});
