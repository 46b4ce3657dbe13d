import { expect } from "@playwright/test";
import { startExample } from "./weft-api.ts";
import { test } from "./weft-test.ts";

for (const width of [1280, 390])
  test(`the bar appears before any script has run, and does not move, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/static/libraries-*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto("/networks", { waitUntil: "commit" });
    const bar = page.getByRole("banner");
    await expect(bar.locator("img")).toBeVisible();
    // The browser paints nothing before it has loaded the styles, but it reports positions.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null),
    );
    const first = [await bar.boundingBox(), await bar.locator("img").boundingBox()];
    release();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const logo = bar.getByRole("link", { name: "Weft" }).locator("svg");
    expect([await bar.boundingBox(), await logo.boundingBox()]).toEqual(first);
  });

test("the record of a page is requested while its code loads, and a list loads the code of its pages", async ({
  page,
  request,
}) => {
  const { run_id: run } = await startExample(request, "text-statistics");
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/static/run-route-*.js", async (route) => {
    await released;
    await route.continue();
  });
  const answered = page.waitForResponse(`**/api/runs/${run}`);
  await page.goto(`/run/${run}`, { waitUntil: "commit" });
  await answered;
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(0);
  release();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const loaded = ["run-route", "run-overview"].map((name) => page.waitForResponse(`**/static/${name}-*.js`));
  await page.goto("/runs");
  await Promise.all(loaded);
});
