import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { cohortCatalog, runCohort } from "./cohort-catalog.ts";
import { downloadText } from "./page-actions.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("samples are reviewed by picture, with mouse and keyboard, and those that passed run again", async ({
  page,
  ownServer,
}) => {
  const server = await ownServer({ catalog: await cohortCatalog() });
  const runId = await runCohort(page.request, server.url);
  await page.goto(`${server.url}/run/${runId}?tab=review`);
  const grid = page.getByRole("grid", { name: "Samples to review" });
  await expect(grid.getByRole("gridcell").first().locator("img")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Output" })).toHaveValue("pictures");
  await expect(page.getByText("0 passed, 0 failed, 12 not reviewed")).toBeVisible();

  // The mouse fails one sample; keys pass the others and move on.
  await grid.getByRole("button", { name: "Fail sub-02" }).click();
  await expect(page.getByText("0 passed, 1 failed, 11 not reviewed")).toBeVisible();
  await grid.getByRole("gridcell").first().focus();
  await page.keyboard.press("p");
  await expect(grid.getByRole("button", { name: "Pass sub-01" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("p");
  await expect(page.getByText("2 passed, 1 failed, 9 not reviewed")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  // A comment, in the dialog.
  await grid.getByRole("gridcell").nth(3).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "sub-04 (4 of 12)" });
  await expect(dialog.getByRole("img", { name: "sub-04.png" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Comment" }).fill("motion");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Fail and next" }).click();
  await expect(page.getByRole("dialog", { name: "sub-05 (5 of 12)" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("2 passed, 2 failed, 8 not reviewed")).toBeVisible();

  // The log keeps reviews; the filter shows those that failed.
  await page.reload();
  await page.getByRole("combobox", { name: "Reviews" }).selectOption({ label: "Failed (2)" });
  await expect(grid.getByRole("gridcell")).toHaveCount(2);
  await expect(grid).toContainText("motion");
  const lines = (await downloadText(page, "Reviews as CSV")).split("\r\n");
  expect(lines[0]).toBe("sample,verdict,comment,reviewed_by");
  expect(lines[4]).toMatch(/^sub-04,fail,motion,./);

  await page.getByRole("button", { name: "Run again with 2 samples that passed" }).click();
  await expect(page).toHaveURL(/\/network\/cohort\?.*from=/);
  await expect(page.getByText("sub-01", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("sub-12", { exact: true })).toHaveCount(0);
});
