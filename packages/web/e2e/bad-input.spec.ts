import { expect } from "@playwright/test";
import { countRuns } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("a required input that is missing is found before anything is sent", async ({ page, request }) => {
  const before = await countRuns(request);
  await page.goto("/network/imaging-cohort?tab=run");
  await page.getByRole("button", { name: "Start run" }).click();
  const summary = page.getByRole("alert").filter({ hasText: /^Fix/ });
  await expect(summary).toBeFocused();
  await summary.getByRole("button", { name: "images" }).click();
  await expect(page.getByRole("grid", { name: "Samples" })).toBeFocused();
  const cell = page.getByRole("gridcell").and(page.locator("[data-active]"));
  await expect(cell).toHaveAttribute("aria-invalid", "true");
  await expect(cell).toHaveAccessibleDescription(/required/);
  expect(await countRuns(request)).toBe(before);
});

test("a problem that the server finds appears at its field, and nothing is started", async ({
  page,
  request,
  watch,
}) => {
  const before = await countRuns(request);
  await page.goto("/network/imaging-cohort?tab=run");
  const cell = page.getByRole("grid", { name: "Samples" }).locator('[data-cell="0 1"]');
  await cell.dblclick();
  await page.keyboard.type("weft-data://catalog/data/cohort/no-such-file.nii");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Start run" }).click();
  const summary = page.getByRole("alert").filter({ hasText: /^Fix/ });
  await expect(summary).toContainText("images, entry 1");
  await expect(cell).toHaveAttribute("aria-invalid", "true");
  await summary.getByRole("button", { name: "images, entry 1" }).click();
  await expect(cell).toHaveAttribute("data-active");
  await expect(cell).toHaveAccessibleDescription(/no-such-file\.nii/);
  await expect(page).toHaveURL(/tab=run/);
  expect(await countRuns(request)).toBe(before);
  // The browser itself reports the refused request.
  expect(watch.consoleErrors.every((text) => text.includes("422"))).toBe(true);
  watch.consoleErrors.length = 0;
});
