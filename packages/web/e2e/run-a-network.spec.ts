import { expect } from "@playwright/test";
import { MAX_SHIFT, shiftOf, watchShifts } from "./layout-shift.ts";
import { expectSuccess } from "./page-actions.ts";
import { test } from "./weft-test.ts";

test("runs a network from its form, watches its end without a reload, and opens its report", async ({ page }) => {
  test.setTimeout(180_000);
  await watchShifts(page);
  await page.goto("/");
  await page.getByRole("link", { name: "Run imaging-cohort" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Imaging cohort" })).toBeVisible();
  await page.getByRole("button", { name: "Use example" }).click();
  await page.getByRole("menuitem", { name: "six-subjects" }).click();
  // No other journey uses this value, so no result can be reused and every job runs.
  await page.getByLabel(/^Smoothing FWHM/).fill("6.5");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Preview – nothing has been started" })).toBeVisible();
  await expect(page.getByText("waits for the output smoothed")).toBeVisible();
  await expect(page.getByRole("region", { name: /Smooth · sub-01/ })).toContainText("smooth.mjs --fwhm-mm=6.5");
  await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }));
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/run\/[0-9a-f-]{36}/);
  await expect(page.getByText("Results appear here when the run finishes.")).toBeVisible();
  const shiftBefore = await shiftOf(page);
  await expectSuccess(page);
  expect(await page.evaluate(() => "neverReloaded" in globalThis)).toBe(true);
  // The overview shows the results, and they have moved nothing else.
  await expect(page.getByRole("region", { name: "Slices" }).getByRole("link")).toHaveCount(6);
  await expect(page.getByRole("region", { name: "measures.csv" }).getByRole("cell", { name: "sub-01" })).toBeVisible();
  await expect(page.locator("iframe[title='Report']")).toHaveAttribute("sandbox", "");
  expect((await shiftOf(page)) - shiftBefore).toBeLessThanOrEqual(MAX_SHIFT);

  await page.getByRole("tab", { name: "Graph" }).click();
  await expect(
    page
      .getByRole("navigation", { name: "Steps" })
      .getByRole("treeitem", { name: /Succeeded/ })
      .first(),
  ).toBeVisible();
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("gridcell", { name: /report\.html/ }).click();
  const frame = page.locator("iframe[title='report.html']");
  await expect(frame).toHaveAttribute("sandbox", "");
  await expect(page.frameLocator("iframe[title='report.html']").getByRole("heading", { level: 1 })).toBeVisible();
});
