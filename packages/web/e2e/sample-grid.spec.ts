import { expect, type Locator } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { readRun } from "./weft-api.ts";
import { test } from "./weft-test.ts";
import { pasteInto } from "./paste-text.ts";

const TEXTS = "weft-data://catalog/data/texts";

test("the sample grid takes pasted rows and dropped files, and its names reach the run", async ({ page, request }) => {
  await page.goto("/network/text-statistics?tab=run");
  const grid = page.getByRole("grid", { name: "Samples" });
  await grid.focus();

  await pasteInto(grid, `sample\ttext\nlight\t${TEXTS}/lighthouse.txt\nshort\t${TEXTS}/clock.txt\nboat\tferry.txt`);
  await expect(page.getByText("Matched columns: sample → sample, text → texts")).toBeVisible();

  const cell = (row: number, column: number): Locator => grid.locator(`[data-cell="${row} ${column}"]`);
  // A file that is dropped anywhere in a column goes to the cell that names it.
  await dropInto(cell(0, 1), "ferry.txt", "over the water\n");
  await expect(cell(2, 1)).toHaveAttribute("title", /^weft-/);
  await expect(cell(0, 1)).toContainText("lighthouse.txt");

  expect(await accessibilityProblems(page)).toEqual([]);
  await cell(1, 1).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("2 samples", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/run\//);
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible({ timeout: 40_000 });
  const run = await readRun(request, new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(run.samples.toSorted()).toEqual(["boat", "light"]);

  // "Run again" keeps the names.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Run again" }).click();
  await expect(cell(0, 0)).toHaveText("1light");
  await expect(cell(1, 0)).toHaveText("2boat");
});

test("a sheet is imported with a choice for each column", async ({ page }) => {
  await page.goto("/network/text-statistics?tab=run");
  await page.getByRole("button", { name: "Import a sheet…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a sheet" });
  await dialog.getByLabel("Sheet file").setInputFiles({
    name: "samples.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`sample,source\r\nlight,${TEXTS}/lighthouse.txt\r\nboat,\r\n`),
  });
  await dialog.getByRole("combobox", { name: "Column source", exact: true }).selectOption("texts");
  await expect(dialog.getByText("Row 3, column source: Enter a value")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Import 2 samples" }).click();
  const grid = page.getByRole("grid", { name: "Samples" });
  await expect(grid.getByRole("row").nth(2)).toContainText("boat");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("0 samples", { exact: true })).toBeVisible();
});

async function dropInto(cell: Locator, name: string, text: string): Promise<void> {
  await cell.evaluate(
    (element, file) => {
      const data = new DataTransfer();
      data.items.add(new File([file.text], file.name, { type: "text/plain" }));
      for (const type of ["dragover", "drop"])
        element.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    { name, text },
  );
}
