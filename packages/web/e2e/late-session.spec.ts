import { expect } from "@playwright/test";
import { test } from "./weft-test.ts";

test("a page whose record arrives before the session appears with the session", async ({ page }) => {
  // Both arrive after the page has been rendered for the first time.
  await page.route(
    "**/api/networks/text-statistics",
    async (route) => {
      await page.getByRole("status", { name: "Loading" }).waitFor();
      await route.continue();
    },
    { times: 1 },
  );
  const recordRead = page.waitForResponse(/\/api\/networks\/text-statistics$/).then((response) => response.finished());
  await page.route("**/api/session", async (route) => {
    await recordRead;
    await page.evaluate(twoFrames);
    await route.continue();
  });
  await page.goto("/network/text-statistics", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Text statistics");
  // The live connection has both read again.
  await page.unrouteAll({ behavior: "wait" });
});

/** The page has rendered what it had read. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
