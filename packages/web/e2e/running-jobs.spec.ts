import { expect } from "@playwright/test";
import { readRun, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("exit codes, the Running filter and the counts tell the truth, while jobs run and after an abort", async ({
  page,
  request,
}) => {
  const data = { network: "practice-load", inputs: { count: 30, seconds: 4 } };
  const created = await request.post("/api/runs", { data });
  // The tests of the API prove the shape.
  const { run_id: runId } = (await created.json()) as { run_id: string };
  await page.goto(`/run/${runId}?tab=jobs&state=RUNNING`);
  const rows = page.getByRole("table", { name: "Jobs of the run" }).locator("tbody tr:has(button)");
  await rows.filter({ hasText: "sleep" }).first().getByRole("button", { name: /sleep/ }).click();
  const exitCode = page.getByRole("dialog").locator("dt:text-is('Exit code') + dd");
  await expect(exitCode).toHaveText("not yet");
  await page.keyboard.press("Escape");

  // Jobs that have succeeded leave the list of running jobs.
  await expect.poll(async () => (await readRun(request, runId)).job_counts.COMPLETE ?? 0).toBeGreaterThan(2);
  await expect(rows.filter({ hasText: "Succeeded" })).toHaveCount(0);
  await expect(rows.filter({ hasText: "Running" })).not.toHaveCount(0);

  await page.goto(`/run/${runId}`);
  await request.delete(`/api/runs/${runId}`);
  await expect(page.locator("[data-state=CANCELED]").first()).toBeVisible({ timeout: 30_000 });
  const summary = page.getByText(/^\d+\+? jobs$/).locator("..");
  await expect(summary).not.toContainText(/running|waiting/i);
  const { progress, job_counts: counts } = await waitForEnd(request, runId);
  expect(progress.jobs_done).toBeLessThan(progress.jobs_total);
  await expect(summary).toHaveText(
    new RegExp(`${progress.jobs_total} jobs.*${counts.COMPLETE} succeeded.*${counts.CANCELED} aborted`),
  );
});
