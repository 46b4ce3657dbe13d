import { expect } from "@playwright/test";
import { test } from "./weft-test.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("a run is started, watched, aborted and found again on a phone, by touch", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Menu" }).tap();
  await page.getByRole("menuitem", { name: "Networks" }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeVisible();
  await page.getByRole("table").getByRole("link", { name: "Practice load", exact: true }).tap();
  await page.getByRole("button", { name: "Run", exact: true }).tap();
  await page.getByRole("button", { name: "Use example" }).tap();
  await page.getByRole("menuitem", { name: "abort-me" }).tap();
  await page.getByRole("button", { name: "Start run" }).tap();
  await expect(page.locator("[data-state=RUNNING]").first()).toBeVisible();
  const runUrl = new URL(page.url()).pathname;

  await page.getByRole("tab", { name: "Graph" }).tap();
  const graph = page.getByRole("group", { name: /^Graph/ });
  await expect(graph).toBeVisible();
  await page.getByRole("button", { name: "Fit" }).first().tap();
  await page.getByRole("tab", { name: "Jobs" }).tap();
  await page.getByRole("button", { name: "sleep-0", exact: true }).tap();
  const panel = page.getByRole("dialog");
  await expect(panel.getByText("Command line")).toBeVisible();
  await panel.getByRole("button", { name: "Close" }).tap();
  await expect(panel).toHaveCount(0);

  await page.getByRole("button", { name: /^Abort/ }).tap();
  await page.getByRole("alertdialog").getByRole("button", { name: "Abort the run" }).tap();
  await expect(page.locator("[data-state=CANCELED]").first()).toBeVisible({ timeout: 30_000 });

  // A link to one of the last tabs shows where it is.
  await page.goto(`${runUrl}?tab=prov`);
  const chosen = page.getByRole("tab", { name: "Provenance", selected: true });
  await expect(chosen).toBeInViewport({ ratio: 0.9 });

  // The run's card in the list: everything on it is within the screen, and its checkbox selects the run.
  await page.getByRole("link", { name: "Runs", exact: true }).first().tap();
  const card = page.locator(`tr:has(a[href$="${runUrl}"])`);
  const box = card.getByRole("checkbox");
  await box.tap();
  await expect(page.getByRole("region", { name: "Selected runs" })).toContainText("1 run selected");
  for (const part of [box, card.getByRole("link").first(), card.getByRole("link", { name: /^Run again/ })]) {
    const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(0);
    expect(x + width).toBeLessThanOrEqual(390 - 16);
  }
});
