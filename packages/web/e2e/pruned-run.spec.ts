import { expect } from "@playwright/test";
import { startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("a run says what it takes on disk, and offers nothing of what was removed", async ({ page, request }) => {
  const run = await startExample(request, "text-statistics");
  await waitForEnd(request, run.run_id);
  await page.goto(`/run/${run.run_id}?tab=outputs`);
  await expect(page.getByText(/ on disk$/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Download" }).first()).toBeVisible();
  const data = { run_id: run.run_id, parts: ["intermediate", "logs", "outputs"] };
  expect((await request.post("/api/prune", { data })).status()).toBe(200);
  await expect(page.getByText(/^Outputs of this run were removed from the disk by local on /)).toBeVisible();
  await expect(page.getByRole("link", { name: "Download" })).toHaveCount(0);
  await page.getByRole("tab", { name: "Logs" }).click();
  await expect(page.getByText(/^Logs of this run were removed/)).toBeVisible();
  await page.getByRole("tab", { name: "Info" }).click();
  await expect(page.getByText("0 B on disk")).toBeVisible();
  await expect(page.getByText("Removed: Outputs")).toBeVisible();
});
