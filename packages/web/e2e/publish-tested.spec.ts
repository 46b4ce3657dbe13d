import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { beginDraft, workbenchCatalog } from "./workbench-catalog.ts";
import { replaceText } from "./page-actions.ts";

test("publishing runs the tests next to the document, whose files are edited in the browser", async ({
  page,
  ownServer,
  watch,
}) => {
  const wrong = 'inputs: {name: Ann}\noutputs: {greeting: {contents: "Bob\\n"}}\n';
  const catalog = await workbenchCatalog({ "tools/greet/1.0.0/tests/ann.yml": wrong });
  const { url } = await ownServer({ catalog });
  await page.goto(`${await beginDraft(page, url, "greet")}?tab=files`);

  // Helper files: add, edit, rename, delete; a path that leaves the folder is refused.
  const files = page.getByRole("list", { name: "Files of the draft" });
  await expect(files).toContainText("examples/ann.yml");
  const path = page.getByRole("textbox", { name: "New file" });
  await path.fill("../up.txt");
  await page.getByRole("button", { name: "Add file" }).click();
  await expect(page.getByRole("alert")).toContainText("must be relative");
  watch.consoleErrors.length = 0; // the browser reports the refused request by itself
  await path.fill("notes.txt");
  await page.getByRole("button", { name: "Add file" }).click();
  await replaceText(page.getByRole("textbox", { name: "Text of notes.txt" }), "kept with the tool\n");
  await page.getByRole("button", { name: "All files" }).click();
  await page.getByRole("button", { name: "Rename notes.txt" }).click();
  const renamed = page.getByRole("textbox", { name: "New path of notes.txt" });
  await renamed.fill("../up.txt");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("must be relative");
  await expect(renamed).toHaveValue("../up.txt");
  watch.consoleErrors.length = 0; // as above
  await renamed.fill("doc/notes.txt");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(files).toContainText("doc/notes.txt");
  await page.getByRole("button", { name: "Delete examples/ann.yml" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await expect(files).not.toContainText("examples/ann.yml");
  expect(await accessibilityProblems(page)).toEqual([]);

  // The dialog runs the test, and does not publish while it fails.
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish greet" });
  await expect(dialog.getByText("Failed")).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Publish 1/ })).toBeDisabled();
  await dialog.getByLabel("Publish anyway").check();
  await expect(dialog.getByRole("button", { name: /^Publish 1.* anyway$/ })).toBeEnabled();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "tests/ann.yml", exact: true }).click();
  const text = page.getByRole("textbox", { name: "Text of tests/ann.yml" });
  await replaceText(text, wrong.replace("Bob", "Ann"));
  await page.getByRole("tab", { name: "Tests" }).click();
  await page.getByRole("button", { name: "Run all tests" }).click();
  await expect(page.getByText("1 of 1 test passed with the current document")).toBeVisible();
  await page.getByRole("button", { name: "Publish…" }).click();
  await expect(dialog.getByText("1 of 1 passed")).toBeVisible();
  await dialog.getByRole("button", { name: /^Publish 1/ }).click();
  await expect(page).toHaveURL(/\/tool\/greet\/1\.0\.1$/);
  const folder = join(catalog, "tools/greet/1.0.1");
  expect(await readFile(join(folder, "doc/notes.txt"), "utf8")).toBe("kept with the tool\n");
  expect(await readFile(join(folder, "tests/ann.yml"), "utf8")).toContain("Ann");
});
