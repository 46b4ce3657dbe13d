import { expect } from "@playwright/test";
import { readRun, startExample } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("a run is aborted from its page, and all its jobs have ended", async ({ page, request }) => {
  const run = await startExample(request, "practice-load");
  await page.goto(`/run/${run.run_id}`);
  await expect(page.locator("[data-state=RUNNING]").first()).toBeVisible();
  await page.getByRole("button", { name: /^Abort/ }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByRole("button", { name: "Go back" })).toBeFocused();
  await dialog.getByRole("button", { name: "Abort the run" }).click();
  await expect(page.locator("[data-state=CANCELED]").first()).toBeVisible({ timeout: 30_000 });
  const ended = await readRun(request, run.run_id);
  expect(ended.state).toBe("CANCELED");
  expect(ended.abort?.outstanding_jobs).toEqual([]);
  const card = page.getByRole("region", { name: "Aborted" });
  await expect(card).toContainText(/Aborted by .* jobs? stopped.* verified at .*: three scans/);
  await card.locator("summary").click();
  const [job] = ended.abort?.jobs ?? [];
  await card.getByRole("link", { name: job?.job_id ?? "none", exact: true }).click();
  await expect(page.getByText("Stopped by Weft")).toBeVisible();
});
