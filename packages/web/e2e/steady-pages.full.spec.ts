import { expect } from "@playwright/test";
import { PAGES, RUN_TABS } from "./all-pages.ts";
import { answerOneByOne, MAX_SHIFT, shiftOf } from "./layout-shift.ts";
import { twoRuns } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test.describe.configure({ mode: "parallel" });

for (const width of [1280, 390])
  test(`content that loads late does not move the page, ${width} pixels wide`, async ({ page, request }) => {
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
