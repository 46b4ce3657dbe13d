import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { readRun } from "./weft-api.ts";
import { test } from "./weft-test.ts";

const TEXTS = "weft-data://catalog/data/texts";

test("a sample sheet fills the form, is checked cell by cell, and names the samples of the run", async ({
  page,
  request,
}) => {
  await page.goto("/network/text-statistics?tab=run");
  await page.getByRole("button", { name: "Sample sheet…" }).click();
  const dialog = page.getByRole("dialog", { name: "Sample sheet" });
  const table = dialog.getByRole("textbox", { name: "Table" });
  await table.fill(`sample\tfile\nlight\t${TEXTS}/lighthouse.txt\nlight\t`);
  await dialog.getByRole("combobox", { name: "Column file", exact: true }).selectOption("texts");
  await expect(dialog.getByText("Row 3, column file: A value is missing here")).toBeVisible();
  await expect(dialog.getByText("Row 3, column sample: Row 2 is called “light” too")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Fill the form" })).toBeDisabled();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await dialog.getByLabel("File with the table").setInputFiles({
    name: "samples.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`sample,texts\r\nlight,${TEXTS}/lighthouse.txt\r\nboat,${TEXTS}/ferry.txt\r\n`),
  });
  await expect(dialog.getByText("2 samples", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Fill the form" }).click();
  await expect(page.getByText("2 samples of the sheet fill texts: light, boat.")).toBeVisible();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/run\//);
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible({ timeout: 40_000 });
  const run = await readRun(request, new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(run.samples.toSorted()).toEqual(["boat", "light"]);
});

test("a form keeps what was typed, as fields, as JSON and as a file", async ({ page }) => {
  await page.goto("/network/text-statistics?tab=run");
  const rows = page.getByLabel("Rows of the table");
  await rows.fill("7");
  const views = page.getByRole("group", { name: "View of the inputs" });
  await views.getByRole("button", { name: "JSON" }).click();
  const json = page.getByRole("textbox", { name: "Input object" });
  await expect(json).toHaveValue('{\n  "top": 7\n}');
  await json.fill('{\n  "top": 8,\n}');
  await expect(page.getByText("Line 3, column 1: No comma may stand before }")).toBeVisible();
  await views.getByRole("button", { name: "Form" }).click();
  await expect(rows).toHaveValue("7");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByRole("alert")).toContainText("The JSON view cannot be read. Line 3, column 1");
  await views.getByRole("button", { name: "JSON" }).click();
  await expect(json).toHaveValue('{\n  "top": 8,\n}');
  await json.fill('{"top": 8}');

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download inputs" }).click();
  expect((await saved).suggestedFilename()).toBe("text-statistics-inputs.json");
  await page.reload();
  await expect(page.getByText(/Filled with what you had typed here/)).toBeVisible();
  await expect(rows).toHaveValue("8");
  await page.getByLabel("File with inputs").setInputFiles({
    name: "inputs.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"top": 9}'),
  });
  await expect(rows).toHaveValue("9");
  await page.getByRole("button", { name: "Discard it" }).click();
  await expect(rows).toHaveValue("");
  await page.reload();
  await expect(rows).toHaveValue("");
  await expect(page.getByText(/Filled with what you had typed here/)).toBeHidden();
});
