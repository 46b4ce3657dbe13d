import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { startExample, TWO_SUBJECTS, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("any job is found by name and state, and both of its streams are shown", async ({ page, request }) => {
  const run = await startExample(request, "imaging-cohort", TWO_SUBJECTS);
  await waitForEnd(request, run.run_id);
  const { jobs } = await (await request.get(`/api/runs/${run.run_id}/jobs?sort=-n&page_size=1`)).json();
  const last = jobs[0].job_id as string;
  await page.goto(`/run/${run.run_id}?tab=logs`);
  const list = page.getByRole("region", { name: "Jobs", exact: true });
  await page.getByLabel("Find a job by name, step or sample").fill(last);
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("button", { name: new RegExp(last) }).click();
  await expect(page).toHaveURL(new RegExp(`job=${last}`));
  await page.getByRole("button", { name: "Both" }).click();
  await expect(page.getByRole("region", { name: "stderr", exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "stdout", exact: true })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel("State").selectOption({ label: "Failed" });
  await expect(list.getByText("No jobs match.")).toBeVisible();
});
