import { setTimeout as pause } from "node:timers/promises";
import { expect } from "@playwright/test";
import { test } from "./weft-test.ts";

test("a page whose record arrives before the session appears with the session", async ({ page }) => {
  // Both arrive after the page has been rendered for the first time.
  const record = page.route("**/api/networks/text-statistics", async (route) => {
    await page.getByRole("status", { name: "Loading" }).waitFor();
    await route.continue();
  });
  const session = page.route("**/api/session", async (route) => {
    await page.waitForResponse(/\/api\/networks\/text-statistics$/);
    await pause(200);
    await route.continue();
  });
  await Promise.all([record, session]);
  await page.goto("/network/text-statistics");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Text statistics");
});
