import { expect } from "@playwright/test";
import { PAGES, RUN_TABS } from "./all-pages.ts";
import { eachLook, excess, expectFits, expectWellMade, settled } from "./every-look.ts";
import { twoRuns } from "./weft-api.ts";
import { test } from "./weft-test.ts";

/** These tests take longest of all: every worker takes its share. */
test.describe.configure({ mode: "parallel" });

for (const { path, title } of PAGES)
  test(`${path} has its heading, fits and is accessible, in both themes, on a desk and on a phone`, async ({
    page,
  }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expectWellMade(page);
  });

test("every tab of a run fits and is accessible, in both themes, on a desk and on a phone", async ({
  page,
  request,
}) => {
  test.setTimeout(1_200_000);
  const [done, failed] = await twoRuns(request);
  for (const tab of RUN_TABS) {
    await page.goto(`/run/${done}?tab=${tab}`);
    await expect(page.getByRole("tab", { selected: true })).toBeVisible();
    await expectWellMade(page);
  }
  await page.goto(`/run/${done}?tab=jobs&job=name_subjects`);
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectWellMade(page);
  await page.goto(`/run/${failed}`);
  await expect(page.getByText("TOOL_EXIT").first()).toBeVisible();
  await expectWellMade(page);
  await page.goto(`/runs?compare=${done},${failed}`);
  await expect(page.getByRole("heading", { name: "Different outputs" })).toBeVisible();
  await expectWellMade(page);
});

test("what is not there is told apart from broken pages, fits and is accessible", async ({ page, watch }) => {
  test.setTimeout(240_000);
  for (const [path, title] of NOT_THERE) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expectWellMade(page);
  }
  forgetExpected(watch.consoleErrors, /404/);
});

test("the sign-in page fits and is accessible", async ({ page, ownServer, watch }) => {
  const server = await ownServer({ auth: "token" });
  await page.goto(`${server.url}/networks`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await eachLook(page, () => expectFits(page));
  forgetExpected(watch.consoleErrors, /401|Authentication/);
});

const NOT_THERE: readonly (readonly [path: string, title: string])[] = [
  ["/netwroks", "Page not found"],
  ["/network/no-such", "Network no-such not found"],
  ["/tool/no-such", "Tool no-such not found"],
  ["/tool/threshold/99.0.0", "Tool threshold 99.0.0 not found"],
  ["/run/01a00000-0000-7000-8000-000000000000", "Run 01a00000-0000-7000-8000-000000000000 not found"],
];

test("on the narrowest screen, and at 400 % zoom, no page scrolls sideways", async ({ page, request }) => {
  test.setTimeout(180_000);
  const [done] = await twoRuns(request);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of [...PAGES.map((entry) => entry.path), ...RUN_TABS.map((tab) => `/run/${done}?tab=${tab}`)]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await settled(page);
    expect(await excess(page), path).toBeLessThanOrEqual(0);
  }
});

test("an unknown address answers 404 with a page that names it", async ({ page, watch }) => {
  const response = await page.goto("/netwroks");
  expect(response?.status()).toBe(404);
  await expect(page.getByText("There is no page at /netwroks.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Networks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeFocused();
  forgetExpected(watch.consoleErrors, /404/);
});

/** The browser reports refused requests in the console by itself. */
function forgetExpected(errors: string[], expected: RegExp): void {
  expect(errors.filter((text) => !expected.test(text))).toEqual([]);
  errors.length = 0;
}
