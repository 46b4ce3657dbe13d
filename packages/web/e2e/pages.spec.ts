import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

const PAGES = [
  { path: "/", title: "Dashboard" },
  { path: "/index", title: "Dashboard" },
  { path: "/networks", title: "Networks" },
  { path: "/network/imaging-cohort", title: "Imaging cohort" },
  { path: "/network/imaging-cohort?tab=run", title: "Imaging cohort" },
  { path: "/network/imaging-cohort?tab=io", title: "Imaging cohort" },
  { path: "/network/imaging-cohort?tab=source", title: "Imaging cohort" },
  { path: "/network/imaging-cohort?tab=runs", title: "Imaging cohort" },
  { path: "/network/imaging-cohort?tab=info", title: "Imaging cohort" },
  { path: "/runs", title: "Runs" },
  { path: "/tool", title: "Tools" },
  { path: "/tool/threshold", title: /threshold/i },
  { path: "/tool/threshold/1.0.0?tab=diff", title: /threshold/i },
  { path: "/tool/threshold/2.0.0?tab=try", title: /threshold/i },
  { path: "/tool/threshold?tab=usage", title: /threshold/i },
  { path: "/prov", title: "Provenance" },
  { path: "/websocketclient", title: "Event console" },
  { path: "/shutdown", title: "Shut down" },
  { path: "/doc", title: "Getting started" },
  { path: "/doc?topic=problems#invalid-inputs", title: "Problems" },
] as const;

const RUN_TABS = [
  "overview",
  "graph",
  "samples",
  "jobs",
  "timeline",
  "logs",
  "outputs",
  "events",
  "prov",
  "info",
] as const;

for (const theme of ["light", "dark"] as const) {
  for (const { path, title } of PAGES) {
    test(`${path} (${theme}) has its heading and no accessibility violation`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
      await expectAccessible(page);
    });
  }

  test(`all tabs of a run (${theme}) are without accessibility violations`, async ({ page, request }) => {
    test.setTimeout(180_000);
    const { run_id } = await startExample(request, "imaging-cohort");
    await waitForEnd(request, run_id);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const tab of RUN_TABS) {
      await page.goto(`/run/${run_id}?tab=${tab}`);
      await expect(page.getByRole("tab", { selected: true })).toBeVisible();
      await expectAccessible(page);
    }
    await page.goto(`/run/${run_id}?tab=jobs&job=name_subjects`);
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
  });
}

test("on a phone no page is wider than the screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const { path, title } of PAGES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await settled(page);
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(excess, path).toBeLessThanOrEqual(0);
  }
});

test("an unknown address answers 404 with a page that names it", async ({ page, watch }) => {
  const response = await page.goto("/netwroks");
  expect(response?.status()).toBe(404);
  await expect(page.getByText("No page is at /netwroks.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Networks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeFocused();
  forgetExpected(watch.consoleErrors, "404");
});

test("unknown networks, tools, versions and runs are told apart from broken pages", async ({ page, watch }) => {
  for (const [path, title] of [
    ["/network/no-such", "No network no-such"],
    ["/tool/no-such", "No tool no-such"],
    ["/tool/threshold/99.0.0", "No tool threshold 99.0.0"],
    ["/run/01a00000-0000-7000-8000-000000000000", "No run 01a00000-0000-7000-8000-000000000000"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  }
  forgetExpected(watch.consoleErrors, "404");
});

/** The browser reports refused requests in the console by itself. */
function forgetExpected(errors: string[], status: string): void {
  expect(errors.filter((text) => !text.includes(status))).toEqual([]);
  errors.length = 0;
}

async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual(
    [],
  );
}

/** Nothing is being read any more. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
}
