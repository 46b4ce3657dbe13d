import { join } from "node:path";
import { expect } from "@playwright/test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { textLocation, writeCheckCatalog } from "./check-catalog.ts";
import { newStateFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";

test("a failed run is retried when its cause is gone, and valid results are reused", async ({ page, ownServer }) => {
  const catalog = join(await newStateFolder(), "catalog");
  const give = await writeCheckCatalog(catalog);
  for (const [sample, text] of [
    ["sub-01", "good"],
    ["sub-02", "bad"],
    ["sub-03", "fine"],
  ] as const)
    await give(sample, text);
  const server = await ownServer({ catalog });
  const texts = ["sub-01", "sub-02", "sub-03"].map((sample) => ({ class: "File", location: textLocation(sample) }));
  const data = { network: "checks", name: "Night", inputs: { texts }, options: { on_failure: "continue" } };
  const first = (await (await page.request.post(`${server.url}/api/runs`, { data })).json()) as Run;

  await page.goto(`${server.url}/run/${first.run_id}`);
  await expect(page.getByRole("heading", { name: "Check failed for sub-02" })).toBeVisible();
  await give("sub-02", "good now");

  // One sample alone, from the table of samples.
  await page.getByRole("tab", { name: "Samples" }).click();
  await page.getByRole("grid", { name: "Samples" }).focus();
  await expect(page.locator("[data-cell][data-active]")).toHaveText("sub-02");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Retry sub-02" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("0 of 1 job will be reused, 1 will run.");
  await dialog.getByRole("button", { name: "Start retry" }).click();
  await expect(page).not.toHaveURL(new RegExp(first.run_id));
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible();
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();

  // The whole run then: every job reuses a result.
  await page.getByRole("link", { name: "Night", exact: true }).click();
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(dialog).toContainText("3 of 3 jobs will be reused.");
  await dialog.getByRole("button", { name: "Start retry" }).click();
  await expect(page.getByText("(3 cached)")).toBeVisible();
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Retry of Night" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry", exact: true })).toHaveCount(0);

  // A job says which one ran, and leads there.
  await page.getByRole("tab", { name: "Jobs" }).click();
  await expect(page.getByRole("row", { name: /check-0/ })).toContainText("Succeededcached");
  await page.getByRole("button", { name: "check-0" }).click();
  const panel = page.getByRole("dialog");
  await expect(panel).toContainText("Reused from an earlier run.");
  await panel.getByRole("link", { name: "View original job" }).click();
  await expect(page).toHaveURL(new RegExp(`${first.run_id}.*job=check-0`));
  await expect(page.getByRole("dialog")).toContainText("Not cached.");
});
