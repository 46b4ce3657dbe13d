import { expect } from "@playwright/test";
import { PAGE_KINDS, RUN_TABS } from "./all-pages.ts";
import { expectAccessibleAndFits, expectWellMade, settled } from "./every-look.ts";
import { twoRuns } from "./weft-api.ts";
import { forgetErrors, test } from "./weft-test.ts";

/** pages.full.spec.ts checks every page in every look; steady-pages.full.spec.ts, whether late answers move content. */
test.describe.configure({ mode: "parallel" });

for (const [kind, pages] of Object.entries(PAGE_KINDS))
  test(`${kind}: each has its heading, fits and is accessible, on a desktop and on a phone`, async ({ page }) => {
    for (const { path, title } of pages) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
      await settled(page);
      await expectWellMade(page);
    }
  });

test("each tab of a run fits and is accessible", async ({ page, request }) => {
  const [done] = await twoRuns(request);
  for (const tab of RUN_TABS) {
    await page.goto(`/run/${done}?tab=${tab}`);
    await expect(page.getByRole("tab", { selected: true })).toBeVisible();
    await settled(page);
    await expectAccessibleAndFits(page);
  }
});

test("a job, a failed run and a comparison fit and are accessible", async ({ page, request }) => {
  const [done, failed] = await twoRuns(request);
  for (const [path, shown] of [
    [`/run/${done}?tab=jobs&job=name_subjects`, page.getByRole("dialog")],
    [`/run/${failed}`, page.getByText("TOOL_EXIT").first()],
    [`/runs?compare=${done},${failed}`, page.getByRole("heading", { name: "Different outputs" })],
  ] as const) {
    await page.goto(path);
    await expect(shown).toBeVisible();
    await settled(page);
    await expectAccessibleAndFits(page);
  }
});

test("pages of missing records differ from broken pages, fit and are accessible", async ({ page, watch }) => {
  for (const [path, title] of NOT_THERE) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await settled(page);
    await expectWellMade(page);
  }
  forgetErrors(watch, /404/);
});

const NOT_THERE: readonly (readonly [path: string, title: string])[] = [
  ["/network/no-such", 'There is no network "no-such"'],
  ["/tool/no-such", 'There is no tool "no-such"'],
  ["/tool/threshold/99.0.0", 'There is no tool "threshold 99.0.0"'],
  ["/run/01a00000-0000-7000-8000-000000000000", 'There is no run "01a00000-0000-7000-8000-000000000000"'],
];

test("the sign-in page fits and is accessible", async ({ page, ownServer, watch }) => {
  const server = await ownServer({ auth: "token" });
  await page.goto(`${server.url}/networks`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expectWellMade(page);
  forgetErrors(watch, /401|Authentication/);
});

const MOVED = { "/tools": "/tool", "/runs/x": "/run/x", "/upgrades": "/tool", "/dataset": "/datasets" };

test("an unknown address answers 404 with a page that names it; others of a page lead to it", async ({
  page,
  watch,
}) => {
  const response = await page.goto("/netwroks");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await expect(page.getByText("There is no page at /netwroks.")).toBeVisible();
  await expectWellMade(page);
  await page.getByRole("main").getByRole("link", { name: "Networks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeFocused();
  for (const [address, path] of Object.entries(MOVED)) {
    await page.goto(address);
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
  }
  forgetErrors(watch, /404/);
});
