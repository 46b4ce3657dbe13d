import { expect, type Locator } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { downloadText, expectSuccess, idOf, pasteInto, runExample } from "./page-actions.ts";
import { readRun } from "./weft-api.ts";
import { test } from "./weft-test.ts";

const TEXTS = "weft-data://catalog/data/texts";

const textFile = (name: string, text: string) => ({ name, mimeType: "", buffer: Buffer.from(text) });

test("files are pasted, dropped, uploaded and picked, and the run reads them under the names of the grid", async ({
  page,
  request,
}) => {
  await page.goto("/network/text-statistics?tab=run");
  const grid = page.getByRole("grid", { name: "Samples" });
  const cell = (row: number, column: number): Locator => grid.locator(`[data-cell="${row} ${column}"]`);
  await grid.focus();
  await pasteInto(grid, `sample\ttext\nlight\t${TEXTS}/lighthouse.txt\nshort\t${TEXTS}/clock.txt\nboat\tferry.txt`);
  await expect(page.getByText("Matched columns: sample → sample, text → texts")).toBeVisible();
  // A file that is dropped anywhere in a column goes to the cell that names it.
  await dropInto(cell(0, 1), "ferry.txt", "over the water\n");
  await expect(cell(2, 1)).toHaveAttribute("title", /^weft-/);
  await expect(cell(0, 1)).toContainText("lighthouse.txt");
  expect(await accessibilityProblems(page)).toEqual([]);
  await cell(1, 1).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("2 samples", { exact: true })).toBeVisible();

  // Files that a button chooses go to the active cell, and on from there.
  await cell(2, 1).click();
  await page
    .getByLabel("Upload for Texts")
    .setInputFiles([textFile("first.txt", "one two two\n"), textFile("second.txt", "three three three\n")]);
  await expect(cell(3, 1)).toContainText("second.txt");
  await cell(2, 0).click();
  await page.keyboard.type("first");
  await page.keyboard.press("Enter");
  await page.keyboard.type("second");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add samples" }).click();
  await page.getByRole("menuitem", { name: "Browse data folders…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "catalog" }).click();
  await dialog.getByRole("button", { name: "data", exact: true }).click();
  await dialog.getByRole("button", { name: "texts" }).click();
  await dialog.getByRole("combobox", { name: "Sort by" }).selectOption({ label: "Largest first" });
  await dialog.getByRole("button", { name: /^Select all/ }).click();
  await dialog.getByRole("button", { name: "Deselect all" }).click();
  await dialog.getByRole("searchbox", { name: "Filter by name" }).fill("CLOCK");
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await dialog.getByRole("button", { name: /clock\.txt/ }).press("Enter");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add 1 file" }).click();
  await expect(cell(4, 1)).toContainText("clock.txt");
  await cell(4, 0).click();
  await page.keyboard.type("last");
  await page.keyboard.press("Enter");

  await page.getByRole("button", { name: "Start run" }).click();
  await expectSuccess(page);
  const run = await readRun(request, idOf(page));
  expect(run.samples.toSorted()).toEqual(["boat", "first", "last", "light", "second"]);

  // "Run again" keeps the names.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Run again" }).click();
  await expect(cell(0, 0)).toHaveText("1light");
  await expect(cell(1, 0)).toHaveText("2boat");
});

test("a single tool is tried from its page", async ({ page }) => {
  await page.goto("/tool/threshold?tab=try");
  await runExample(page);
  await expectSuccess(page);
  await expect(page.getByText("Tool threshold")).toBeVisible();
});

test("the inputs are saved as YAML or JSON and loaded from both", async ({ page }) => {
  await page.goto("/network/text-statistics?tab=run");
  const rows = page.getByLabel("Table rows");
  await rows.fill("8");
  await page.getByRole("button", { name: "More actions with the inputs" }).click();
  expect(await downloadText(page, "Download inputs.yml")).toBe("top: 8\n");
  for (const [name, content, value] of [
    ["inputs.json", '{"top": 9}', "9"],
    ["inputs.yml", "top: 10", "10"],
  ] as const) {
    await page.getByLabel("Input file").setInputFiles(textFile(name, content));
    await expect(rows).toHaveValue(value);
  }
  await page.getByLabel("Input file").setInputFiles(textFile("broken.yml", "top: 1\ntop: 2\n"));
  await expect(page.getByText("Line 2, column 1: Duplicated mapping key")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Input object in YAML" })).toHaveValue("top: 1\ntop: 2\n");
});

test("a sheet is imported with a choice for each column", async ({ page }) => {
  await page.goto("/network/text-statistics?tab=run");
  await page.getByRole("button", { name: "Add samples" }).click();
  await page.getByRole("menuitem", { name: "Import a sheet…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a sheet" });
  await dialog
    .getByLabel("Sheet file")
    .setInputFiles(textFile("samples.csv", `sample,source\r\nlight,${TEXTS}/lighthouse.txt\r\nboat,\r\n`));
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
