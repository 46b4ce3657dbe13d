import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { newFolder } from "./own-server.ts";
import { expectSuccess } from "./page-actions.ts";
import { practiceDataset, queryStudy } from "./practice-dataset.ts";
import { ownServerTest as test } from "./weft-test.ts";

/** The form of the cohort network, filled with the subjects of the practice dataset that are older than `age`. */
async function fillForm(page: Page, url: string, age: string): Promise<void> {
  await queryStudy(page, url, age);
  await page.getByRole("link", { name: "Use in network" }).click();
  await expect(page.getByText(/samples from the dataset/)).toBeVisible();
}

async function runToEnd(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Start run" }).click();
  await expectSuccess(page);
}

/** Table, plot, gallery and quality control of the two samples. */
async function lookAtResults(page: Page, run: string): Promise<void> {
  await page.goto(`${run}?tab=table`);
  await expect(page.getByRole("grid", { name: "Samples" }).getByRole("rowheader")).toHaveCount(2);
  await page.goto(`${run}?tab=table&show=plots`);
  await page.getByRole("combobox", { name: "Measure" }).selectOption({ label: "volume_ml" });
  await expect(page.getByRole("application", { name: "Plot: Distribution of volume_ml" })).toBeVisible();
  await page.goto(`${run}?tab=outputs`);
  await expect(page.getByRole("grid", { name: "Results by sample" }).getByRole("rowheader")).toHaveText([
    ...["sub-21", "sub-34"],
  ]);
  await page.goto(`${run}?tab=review`);
  await page.getByRole("button", { name: "Pass sub-21" }).click();
  await page.getByRole("button", { name: "Fail sub-34" }).click();
  await expect(page.getByText("1 passed, 1 failed, 0 not reviewed")).toBeVisible();
  await page.goto(run);
}

test("a run of a dataset writes a derivative dataset, a later run extends it, and Weft reads it as a dataset", async ({
  page,
  ownServer,
  watch,
}) => {
  test.setTimeout(600_000);
  const [study, results] = [await practiceDataset(), await newFolder()];
  const more = ["--data", `study=${study}`, "--data", `results=${results}`];
  const server = await ownServer({ more, sinks: { results } });
  await fillForm(page, server.url, "77");
  await page.getByText("Copy results to").click();
  await page.getByRole("button", { name: "BIDS derivatives in results" }).click();

  // The destinations of the first sample, and the files that cannot be written, before and after a request.
  const masks = page.getByRole("textbox", { name: /^Masks/ });
  const smoothed = page.getByRole("textbox", { name: /^Smoothed images/ });
  await expect(masks).toHaveValue("bids://results/imaging-cohort/mask");
  await expect(smoothed).toHaveValue("bids://results/imaging-cohort/desc-smoothed");
  await expect(page.getByText("imaging-cohort/sub-21/ses-2/anat/sub-21_ses-2_mask.…")).toBeVisible();
  await masks.fill("bids://results/imaging-cohort/ses-1_mask");
  await expect(page.getByText("This destination has a subject or session, which come from the sample.")).toBeVisible();
  await masks.fill("bids://results/imaging-cohort/desc-smoothed");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByText(/have the same destination/).first()).toBeVisible();
  watch.consoleErrors.length = 0; // the browser reports the refused request by itself
  await masks.fill("bids://results/imaging-cohort/desc-lesion_mask");
  await expect(page.getByText("imaging-cohort/sub-21/ses-2/anat/sub-21_ses-2_desc-lesion_mask.…")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await runToEnd(page);
  const dataset = join(results, "imaging-cohort");
  const subjects = async () => (await readdir(dataset)).filter((name) => name.startsWith("sub-"));
  expect(await subjects()).toEqual(["sub-21", "sub-34"]);
  const anat = join(dataset, "sub-21/ses-2/anat");
  expect(await readdir(anat)).toContain("sub-21_ses-2_desc-lesion_mask.nii");
  const sidecar = await readFile(join(anat, "sub-21_ses-2_desc-lesion_mask.json"), "utf8");
  expect(JSON.parse(sidecar)).toMatchObject({ Sources: ["bids:study:sub-21/ses-2/anat/sub-21_ses-2_T1w.nii"] });

  await lookAtResults(page, page.url().replace(/\?.*/, ""));

  // Run again suggests the same destinations; then more subjects.
  await writeFile(join(dataset, "CHANGES"), "1.0.0 2026-11-23\n  - Ours.\n");
  await page.getByRole("link", { name: "Run again" }).click();
  await page.getByText("Copy results to").click();
  await expect(masks).toHaveValue("bids://results/imaging-cohort/desc-lesion_mask");
  await fillForm(page, server.url, "75");
  await page.getByText("Copy results to").click();
  await page.getByRole("button", { name: "BIDS derivatives in results" }).click();
  await masks.fill("bids://results/imaging-cohort/desc-lesion_mask");
  await runToEnd(page);
  expect(await subjects()).toEqual(["sub-08", "sub-21", "sub-34"]);
  const participants = await readFile(join(dataset, "participants.tsv"), "utf8");
  expect(participants.split("\n").map((line) => line.split("\t")[0])).toEqual([
    ...["participant_id", "sub-21", "sub-34", "sub-08", ""],
  ]);

  // The derivative is a dataset itself.
  await page.goto(`${server.url}/datasets`);
  await page.getByRole("link", { name: "results/imaging-cohort" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /derivatives of Synthetic heads/ })).toBeVisible();
  await expect(page.getByText(/BIDS 1\.10\.0, 3 subjects/)).toBeVisible();
  await page.getByRole("tab", { name: /Skipped files/ }).click();
  await expect(page.getByText("ignored by .bidsignore").first()).toBeVisible();
});
