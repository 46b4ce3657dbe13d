import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { checkCatalog } from "./check-catalog.ts";
import { startRun } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";

const NUMBERS = Array.from({ length: 300 }, (_, place) => place);

test("pages stay short with 300 samples, and the grid takes all of them", async ({ page, request, ownServer }) => {
  const server = await ownServer({ catalog: await checkCatalog() });
  const samples = { numbers: NUMBERS.map((n) => `sub-${n}`) };
  const data = { network: "many", inputs: { numbers: NUMBERS }, samples };
  const { run_id: runId } = await startRun(request, data, server.url);

  await page.goto(`${server.url}/run/${runId}`);
  await expect(page.locator("[data-state=EXECUTOR_ERROR]").first()).toBeVisible({ timeout: 30_000 });
  await expectShort(page);
  await page.getByRole("tab", { name: "Samples" }).click();
  await expect(page.getByRole("row").nth(1)).toContainText("sub-255");
  await expectShort(page);
  expect(await accessibilityProblems(page)).toEqual([]);
  // A part of them is chosen by mouse and keyboard, and left out of the next run.
  await page.getByRole("combobox", { name: "Sample state" }).selectOption("succeeded");
  await expect(page.getByText("299 samples", { exact: true })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select sub-0", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select sub-2", exact: true }).click({ modifiers: ["Shift"] });
  await page.getByRole("grid", { name: "Samples" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await expect(page.getByText("2 of 300 samples selected")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Run again without 2 samples" }).click();
  await expect(page.getByText(/without 2 samples: sub-0, sub-2\./)).toBeVisible();
  await expect(page.getByText("298 samples", { exact: true })).toBeVisible();
  await page.goBack();
  // The filter is part of the address.
  await page.getByRole("combobox", { name: "Sample state" }).selectOption("");
  await page.getByRole("searchbox", { name: "Find samples" }).fill("sub-255");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("grid", { name: "Samples" }).getByRole("button", { name: "Failed" }).click();
  await expect(page).toHaveURL(/tab=jobs&job=each-255/);
  await page.goto(`${server.url}/run/${runId}`);
  await page.getByRole("tab", { name: "Jobs" }).click();
  await page.getByRole("button", { name: "Logs", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: /each-255/ })).toBeVisible();

  await page.getByRole("link", { name: "Run again" }).click();
  const grid = page.getByRole("grid", { name: "Samples" });
  await expect(grid).toHaveAttribute("aria-rowcount", "302");
  await expect(grid.locator('[data-cell="0 1"]')).toHaveText("0");
  await expectShort(page);
  expect(await page.locator("*").count()).toBeLessThan(3000);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/run/${runId}?tab=events`);
  await expect(page.getByText("run.created", { exact: true })).toBeVisible();
  await expectShort(page);
});

/** No more than three screens. */
async function expectShort(page: Page): Promise<void> {
  const screens = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
  expect(screens).toBeLessThan(3);
}
