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
