import { expect } from "@playwright/test";
import { PAGES, RUN_TABS } from "./all-pages.ts";
import { answerOneByOne, MAX_SHIFT, shiftOf } from "./layout-shift.ts";
import { twoRuns } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test.describe.configure({ mode: "parallel" });

for (const width of [1280, 390])
  test(`what is read late pushes nothing away that can be read already, ${width} pixels wide`, async ({
    page,
    request,
  }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height: 844 });
    const runs = await twoRuns(request);
    await answerOneByOne(page);
    const paths = [
      ...PAGES.map(({ path }) => path),
      ...runs.flatMap((run) => RUN_TABS.map((tab) => `/run/${run}?tab=${tab}`)),
      `/runs?compare=${runs.join()}`,
    ];
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      expect.soft(await shiftOf(page), path).toBeLessThanOrEqual(MAX_SHIFT);
    }
  });

for (const width of [1280, 390])
  test(`the bar is there before any script has run, and stays where it is, ${width} pixels wide`, async ({ page }) => {
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
    // The browser paints nothing before its styles are there, but it answers where things would be.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null),
    );
    const first = [await bar.boundingBox(), await bar.locator("img").boundingBox()];
    release();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const logo = bar.getByRole("link", { name: "Weft" }).locator("svg");
    expect([await bar.boundingBox(), await logo.boundingBox()]).toEqual(first);
  });

test("the record of a page is requested while its code loads", async ({ page, request }) => {
  const [run] = await twoRuns(request);
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
});
