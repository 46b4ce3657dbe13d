import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { startExample, TWO_SUBJECTS, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("jobs are sorted and filtered by the server, and the choice of columns is remembered", async ({
  page,
  request,
}) => {
  const { run_id } = await startExample(request, "imaging-cohort", TWO_SUBJECTS);
  const run = await waitForEnd(request, run_id);
  await page.goto(`/run/${run_id}?tab=jobs`);
  const table = page.getByRole("table", { name: "Jobs of the run" });
  await expect(table.getByRole("row")).toHaveCount(run.progress.jobs_total + 1);
  const sorted = async (sort: string): Promise<readonly string[]> => {
    const answer = await request.get(`/api/runs/${run_id}/jobs?sort=${sort}`);
    return (await answer.json()).jobs.map(({ job_id }: { readonly job_id: string }) => job_id);
  };

  await table.getByRole("button", { name: "Run time" }).click();
  await expect(table.getByRole("columnheader", { name: "Run time" })).toHaveAttribute("aria-sort", "descending");
  await expect.poll(() => jobsOf(page)).toEqual(await sorted("-running_ms"));
  await page.reload();
  await expect.poll(() => jobsOf(page)).toEqual(await sorted("-running_ms"));
  await table.getByRole("button", { name: "Run time" }).click();
  await expect.poll(() => jobsOf(page)).toEqual(await sorted("running_ms"));

  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByLabel("Ran at least").fill("soon");
  await expect(page.getByText("Example: 5m")).toBeVisible();
  await page.getByLabel("Ran at least").fill("9d");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No jobs match these filters.")).toBeVisible();
  await expect(page).toHaveURL(/ran-min=9d/);
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(table.getByRole("row")).toHaveCount(run.progress.jobs_total + 1);

  await page.getByText("Columns", { exact: true }).click();
  await page.getByRole("checkbox", { name: "Exit code" }).uncheck();
  await expect(table.getByRole("columnheader", { name: "Exit code" })).toHaveCount(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.reload();
  await expect(table.getByRole("columnheader", { name: "Peak memory" })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "Exit code" })).toHaveCount(0);
});

/** Ids of the visible jobs, from top to bottom. */
function jobsOf(page: Page): Promise<readonly string[]> {
  return page.locator("tbody tr td:first-child button").allTextContents();
}
