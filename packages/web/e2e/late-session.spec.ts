import { expect, type Route } from "@playwright/test";
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
  const sessionRead = async (route: Route) => {
    await recordRead;
    await page.evaluate(twoFrames);
    await route.continue();
  };
  // The live connection has both read once more, and the test may end before that.
  await page.route("**/api/session", sessionRead, { times: 1 });
  await page.goto("/network/text-statistics", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Text statistics");
});

/** The page has rendered what it had read. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
