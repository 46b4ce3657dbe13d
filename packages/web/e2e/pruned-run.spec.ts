import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { readRun, runExampleToEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("a run shows its size on disk, and offers none of the removed files", async ({ page, request }) => {
  const run = await runExampleToEnd(request, "text-statistics");
  await page.goto(`/run/${run.run_id}`);
  await expect(page.getByText(/ on disk$/)).toBeVisible();
  await page.getByRole("tab", { name: "Results" }).click();
  await expect(page.getByRole("link", { name: "Download" }).first()).toBeVisible();
  const data = { run_id: run.run_id, parts: ["intermediate", "logs", "outputs"] };
  expect((await request.post("/api/prune", { data })).status()).toBe(200);
  await expect(page.getByText(/^Outputs of this run were deleted by local on /)).toBeVisible();
  await expect(page.getByRole("link", { name: "Download" })).toHaveCount(0);
  await page.getByRole("tab", { name: "Jobs" }).click();
  await page.getByRole("button", { name: "Logs", exact: true }).click();
  await expect(page.getByText(/^Logs of this run were deleted/)).toBeVisible();
  await page.getByRole("tab", { name: "Overview" }).click();
  await expect(page.getByText("0 B on disk")).toBeVisible();
  await page.getByRole("tab", { name: "Inputs" }).click();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect(page.getByText("Deleted: Outputs")).toBeVisible();
});

test("space is freed for one run, then for all ended runs, after a preview", async ({ page, request }) => {
  const run = await runExampleToEnd(request, "text-statistics");
  await page.goto(`/run/${run.run_id}?tab=info`);
  await page.getByRole("button", { name: "Free up space…" }).click();
  const dialog = page.getByRole("alertdialog");
  const remove = dialog.getByRole("button", { name: /^Delete / });
  await expect(dialog).toContainText("can be freed: 1 entry");
  await dialog.getByRole("checkbox", { name: /^Intermediate/ }).uncheck();
  await expect(dialog).toContainText("Select what to delete.");
  await expect(remove).toBeDisabled();
  await dialog.getByRole("checkbox", { name: /^Intermediate/ }).check();
  await dialog.getByRole("checkbox", { name: /^Logs/ }).check();
  await expect(dialog).toContainText("can be freed: 2 entries");
  await remove.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/ freed$/).first()).toBeVisible();
  await expect(page.getByText("Deleted: Intermediate files")).toBeVisible();
  await expect(page.getByText("Deleted: Logs")).toBeVisible();
  await expect(page.getByText("Deleted: Outputs")).toHaveCount(0);

  // A second run, by the dialog of the whole server.
  const more = { name: "Kept as a whole", options: { cache: "off" } };
  const second = await runExampleToEnd(request, "text-statistics", { more });
  await page.goto("/");
  await page.getByRole("button", { name: "Free up space…" }).click();
  await dialog.getByRole("combobox", { name: /^Older than/ }).selectOption({ label: "any age" });
  await expect(dialog.getByRole("list", { name: "Entries" })).toContainText(second.name);
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await readRun(request, second.run_id)).pruned).toEqual([]);
});
