import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { readRun, startExample } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("a run is paused by its button, resumed by a key, and aborted with all its jobs", async ({ page, request }) => {
  const run = await startExample(request, "practice-load");
  await page.goto(`/run/${run.run_id}`);
  await expect(page.locator("[data-state=RUNNING]").first()).toBeVisible();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  // The message about it can be dismissed, also with a screen reader.
  await expect(page.getByRole("button", { name: "Dismiss" })).toBeVisible();
  await expect(page.locator("[data-state=PAUSED]").first()).toBeVisible();
  await expect(page.getByText("Paused by local: running jobs will finish")).toBeVisible();
  expect((await readRun(request, run.run_id)).state).toBe("PAUSED");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.keyboard.press("p");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await expect(page.locator("[data-state=PAUSED]")).toHaveCount(0);

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
