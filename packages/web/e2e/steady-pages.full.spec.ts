import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { PAGES, RUN_TABS } from "./all-pages.ts";
import { answerOneByOne, MAX_SHIFT, shiftOf } from "./layout-shift.ts";
import { twoRuns } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test.describe.configure({ mode: "parallel" });

/** Two runs of the server of this worker. */
let runs: ReturnType<typeof twoRuns> | undefined;
const runsOf = (request: APIRequestContext) => (runs ??= twoRuns(request));

async function expectSteady(page: Page, paths: readonly string[]): Promise<void> {
  await answerOneByOne(page);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      expect.soft(await shiftOf(page), `${path}, ${width} pixels wide`).toBeLessThanOrEqual(MAX_SHIFT);
    }
  }
}

for (const { path } of PAGES)
  test(`${path} does not move when content loads late, on a desktop and on a phone`, ({ page }) =>
    expectSteady(page, [path]));

for (const tab of RUN_TABS)
  test(`the tab ${tab} of a run does not move when content loads late, on a desktop and on a phone`, async ({
    page,
    request,
  }) => {
    const paths = (await runsOf(request)).map((run) => `/run/${run}?tab=${tab}`);
    await expectSteady(page, paths);
  });

test("a comparison of runs does not move when content loads late, on a desktop and on a phone", async ({
  page,
  request,
}) => {
  await expectSteady(page, [`/runs?compare=${(await runsOf(request)).join()}`]);
});
