import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { textLocation, writeCheckCatalog } from "./check-catalog.ts";
import { newStateFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";

const SAMPLES = ["sub-01", "sub-02", "sub-03"] as const;

test("one bad sample of a cohort: from the form to the failure, its bundle, and its retry", async ({
  page,
  ownServer,
}) => {
  test.setTimeout(120_000);
  const catalog = join(await newStateFolder(), "catalog");
  const give = await writeCheckCatalog(catalog);
  for (const sample of SAMPLES) await give(sample, sample === "sub-02" ? "bad" : `text of ${sample}`);
  const server = await ownServer({ catalog });

  await page.goto(`${server.url}/network/checks?tab=run`);
  await fillByPasting(page);
  await page.getByText("Run name and options").click();
  await page.getByRole("textbox", { name: "Run name" }).fill("Night");
  await page
    .getByRole("combobox", { name: "When a job fails" })
    .selectOption({ label: "Continue with independent jobs" });
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Preview – nothing has been started" })).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }));
  await page.getByRole("button", { name: "Start run" }).click();

  // The page of the run comes to the failure by itself.
  await expect(page.getByRole("heading", { name: "Check failed for sub-02" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("2 succeeded")).toBeVisible();
  await expect(page.getByRole("region", { name: "Standard error" })).toContainText("bad data");
  const failed = page.url();

  await page.getByText("Debug bundle").click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Safe to share" }).click();
  expect(await (await download).failure()).toBeNull();

  // The sample's data is fixed; the sample runs alone, then the whole run reuses all results.
  await give("sub-02", "good now");
  await page.getByRole("button", { name: "Retry sub-02" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Start retry" }).click();
  await expect(page).not.toHaveURL(failed);
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible();
  expect(await page.evaluate(() => "neverReloaded" in globalThis)).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL(failed);
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Start retry" }).click();
  await expect(page.getByText("(3 cached)")).toBeVisible();
  await page.getByRole("tab", { name: "Results" }).click();
  for (const sample of SAMPLES) await expect(page.getByText(`${sample}.checked.txt`, { exact: true })).toBeVisible();
});

/** Cells as they are copied from a spreadsheet. */
async function fillByPasting(page: Page): Promise<void> {
  const rows = SAMPLES.map((sample) => `${sample}\t${textLocation(sample)}`);
  await page.getByRole("grid", { name: "Samples" }).evaluate(
    (element, pasted) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    },
    ["sample\ttexts", ...rows].join("\n"),
  );
  await expect(page.getByText("3 samples", { exact: true })).toBeVisible();
}
