import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { pixelsOf, settledInk } from "./settled-ink.ts";
import { runExampleToEnd, startExample, TWO_SUBJECTS, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("the timeline shows every job as a bar and in a table, zooms, and opens a job", async ({ page, request }) => {
  const run = await runExampleToEnd(request, "imaging-cohort", { example: TWO_SUBJECTS });
  await page.goto(`/run/${run.run_id}?tab=timeline`);
  const bars = page.getByRole("img", { name: `Bars of ${run.progress.jobs_total} jobs` });
  await expect(bars).toBeVisible();
  // The critical path is outlined on the bars a moment after they are drawn.
  const path = page.getByRole("region", { name: "Critical path" });
  await expect(path).toBeVisible();
  const whole = await settledInk(page, inkOf);
  expect(whole).toBeGreaterThan(500);

  await bars.hover({ position: { x: 600, y: 200 } });
  await expect(page.getByRole("tooltip")).toContainText(/waited/);
  await page.mouse.wheel(0, -800);
  await expect(page).toHaveURL(/[?&]t=\d+-\d+/);
  const zoomed = await settledInk(page, inkOf);
  expect(zoomed).not.toBe(whole);
  await page.reload();
  // The address has whole milliseconds.
  await expect.poll(async () => Math.abs((await inkOf(page)) - zoomed)).toBeLessThan(Math.abs(zoomed - whole) / 10);
  await page.keyboard.press("0");
  await expect.poll(() => inkOf(page)).toBe(whole);
  await expect(page).not.toHaveURL(/[?&]t=/);
  await page.keyboard.press("+");
  await expect.poll(() => inkOf(page)).not.toBe(whole);
  await page.keyboard.press("0");

  await expect(path.getByRole("listitem").first()).toContainText(/waited .* ran /);
  await bars.click({ position: { x: 600, y: 200 } });
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page).toHaveURL(/job=/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.getByRole("button", { name: "Show table" }).click();
  await expect(page.getByRole("table", { name: "Timeline as a table" }).getByRole("row")).toHaveCount(
    run.progress.jobs_total + 1,
  );
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("the timeline grows while the run is running", async ({ page, request }) => {
  const { run_id } = await startExample(request, "practice-load");
  await page.goto(`/run/${run_id}?tab=timeline&view=table`);
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await expect(page.locator("td [data-state=RUNNING]").first()).toBeVisible();
  await expect(page.locator("td [data-state=COMPLETE]").first()).toBeVisible({ timeout: 40_000 });
  await request.delete(`/api/runs/${run_id}`);
  await waitForEnd(request, run_id);
});

/** How many pixels of the bars are painted. */
async function inkOf(page: Page): Promise<number> {
  return (await pixelsOf(page, "canvas[role=img]")).painted;
}
