import { expect } from "@playwright/test";
import { checkCatalog, dataOf, textLocation } from "./check-catalog.ts";
import { writeFiles } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { download, expectSuccess, idOf, pasteInto } from "./page-actions.ts";

const SAMPLES = ["sub-01", "sub-02", "sub-03"] as const;

test("one bad sample of a cohort: from the form to the failure, its bundle, and its retry", async ({
  page,
  ownServer,
}) => {
  test.setTimeout(120_000);
  const catalog = await checkCatalog({ "sub-01": "text of sub-01", "sub-02": "bad", "sub-03": "text of sub-03" });
  const server = await ownServer({ catalog });

  await page.goto(`${server.url}/network/checks?tab=run`);
  // Cells in the form in which a spreadsheet copies them.
  const rows = SAMPLES.map((sample) => `${sample}\t${textLocation(sample)}`);
  await pasteInto(page.getByRole("grid", { name: "Samples" }), ["sample\ttexts", ...rows].join("\n"));
  await expect(page.getByText("3 samples", { exact: true })).toBeVisible();
  await page.getByText("Run name and options").click();
  await page.getByRole("textbox", { name: "Run name" }).fill("Night");
  await page
    .getByRole("combobox", { name: "When a job fails" })
    .selectOption({ label: "Continue with independent jobs" });
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Preview – nothing has been started" })).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }));
  await page.getByRole("button", { name: "Start run" }).click();

  // The page of the run shows the failure without a reload.
  await expect(page.getByRole("heading", { name: "Check failed for sub-02" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("2 succeeded")).toBeVisible();
  await expect(page.getByRole("region", { name: "Standard error" })).toContainText("bad data");
  const failed = new URL(page.url()).pathname;

  await page.getByText("Debug bundle").click();
  expect((await download(page, "With data")).suggestedFilename()).toContain("with-data.zip");
  expect((await download(page, "Safe to share")).suggestedFilename()).toContain("safe-to-share.zip");

  // The sample's data is corrected, and the sample runs alone by the button in the table of samples.
  await writeFiles(catalog, dataOf({ "sub-02": "good now" }));
  await page.getByRole("tab", { name: "Samples" }).click();
  await page.getByRole("grid", { name: "Samples" }).focus();
  await expect(page.locator("[data-cell][data-active]")).toHaveText("sub-02");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Retry sub-02" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("0 of 1 job will be reused, 1 will run.");
  await dialog.getByRole("button", { name: "Start retry" }).click();
  await expect(page).not.toHaveURL(new RegExp(failed));
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();
  await expectSuccess(page);
  expect(await page.evaluate(() => "neverReloaded" in globalThis)).toBe(true);

  // The whole run then reuses all results.
  await page.getByRole("link", { name: "Night", exact: true }).click();
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(dialog).toContainText("3 of 3 jobs will be reused.");
  await dialog.getByRole("button", { name: "Start retry" }).click();
  await expect(page.getByText("(3 cached)")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Retry of Night" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry", exact: true })).toHaveCount(0);
  await page.getByRole("tab", { name: "Results" }).click();
  for (const sample of SAMPLES) await expect(page.getByText(`${sample}.checked.txt`, { exact: true })).toBeVisible();
  const zip = await download(page, "Download all as zip");
  expect(zip.suggestedFilename()).toContain(`outputs-${idOf(page)}.zip`);

  // A reused job links to the job that ran.
  await page.getByRole("tab", { name: "Jobs" }).click();
  await expect(page.getByRole("row", { name: /check-0/ })).toContainText("Succeededcached");
  await page.getByRole("button", { name: "check-0" }).click();
  const panel = page.getByRole("dialog");
  await expect(panel).toContainText("Reused from an earlier run.");
  await panel.getByRole("link", { name: "View original job" }).click();
  await expect(page).toHaveURL(new RegExp(`${failed}.*job=check-0`));
  await expect(page.getByRole("dialog")).toContainText("Not cached.");
});
