import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { idOf } from "./page-actions.ts";
import { practiceDataset, queryStudy } from "./practice-dataset.ts";
import { ownServerTest as test } from "./weft-test.ts";

/** Copies of a subject, 80 years old. */
async function addSubjects(study: string, labels: readonly string[]): Promise<void> {
  for (const label of labels) {
    const anat = join(study, `sub-${label}/ses-2/anat`);
    await mkdir(anat, { recursive: true });
    await copyFile(join(study, "sub-08/ses-2/anat/sub-08_ses-2_T1w.nii"), join(anat, `sub-${label}_ses-2_T1w.nii`));
  }
  const table = join(study, "participants.tsv");
  const [head = "", ...rows] = (await readFile(table, "utf8")).trimEnd().split("\n");
  const columns = head.split("\t");
  const row = (label: string) =>
    columns.map((name) => (name === "participant_id" ? `sub-${label}` : name === "age" ? "80" : "n/a")).join("\t");
  await writeFile(table, `${[head, ...rows, ...labels.map(row)].join("\n")}\n`);
}

test("a query of a dataset shows its samples and omitted files, is saved, and fills the form of a network", async ({
  page,
  ownServer,
}) => {
  const study = await practiceDataset();
  const server = await ownServer({ more: ["--data", `study=${study}`] });
  await queryStudy(page, server.url, "75");
  await expect(page.getByRole("heading", { level: 1, name: "Synthetic heads" })).toBeVisible();
  await expect(page.getByText(/BIDS 1\.10\.0, 39 subjects/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Found: 3 samples" })).toBeVisible();
  const found = page.getByRole("grid", { name: "Found samples" });
  await expect(found.getByText("sub-08", { exact: true })).toBeVisible();
  await expect(found.getByText("sub-08_ses-2_T1w.nii")).toBeVisible();
  const leftOut = page.getByRole("grid", { name: "Left out, with reasons" });
  await expect(leftOut.getByText(/^age is \d+, not > 75$/).first()).toBeVisible();
  await page.getByRole("button", { name: /^\d+ files$/ }).click();
  await expect(leftOut.getByText("ignored by .bidsignore").first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  // The URL contains the query: a reload shows the same page.
  await expect(page).toHaveURL(/ask=/);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Found: 3 samples" })).toBeVisible();

  await page.getByRole("textbox", { name: "Query name" }).fill("Elderly");
  await page.getByRole("button", { name: "Save query" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
  await page.getByRole("link", { name: "Use in network" }).click();
  await expect(page.getByText(/3 samples from the dataset/)).toBeVisible();
  const samples = page.getByRole("grid", { name: "Samples" });
  await expect(samples.getByRole("rowheader").getByText("sub-34", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/run\/[0-9a-f-]{36}/);
  const runId = idOf(page);
  const recorded = await page.request.get(`${server.url}/api/runs/${runId}/dataset`);
  const { dataset } = (await recorded.json()) as { dataset: { result: { samples: { name: string }[] } } };
  expect(dataset.result.samples.map(({ name }) => name)).toEqual(["sub-08", "sub-21", "sub-34"]);

  // The run shows the query and its list; two more subjects arrive.
  await page.goto(`${server.url}/run/${runId}?tab=inputs`);
  const record = page.getByRole("region", { name: "Samples from a dataset" });
  await expect(record).toContainText(
    "Suffix is T1w, and Session is 2, and age is over 75; one sample for each subject",
  );
  await expect(record).toContainText("Elderly");
  await record.getByText("What it found and left out").click();
  await expect(record.getByRole("grid", { name: "Found samples" }).getByText("sub-21", { exact: true })).toBeVisible();
  await addSubjects(study, ["41", "42"]);
  await record.getByRole("button", { name: "Run this query again now" }).click();
  await expect(record.getByText("Now the query finds 5 samples: 2 new.")).toBeVisible();
  await expect(record.getByRole("grid", { name: "Changes since then" }).getByText("sub-41")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await record.getByRole("link", { name: "Start a run with 2 new samples" }).click();
  await expect(page.getByText(/2 samples from the dataset/)).toBeVisible();
  await expect(
    page.getByRole("grid", { name: "Samples" }).getByRole("rowheader").getByText("sub-42", { exact: true }),
  ).toBeVisible();

  await page.goto(`${server.url}/datasets`);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page
    .getByRole("row", { name: /Elderly/ })
    .getByRole("link", { name: "Use in form" })
    .click();
  await expect(page.getByText(/5 samples from the dataset/)).toBeVisible();
});

test("a folder that is not BIDS is read by a pattern while it is typed, on a phone too", async ({
  page,
  ownServer,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const server = await ownServer();
  await page.goto(`${server.url}/datasets`);
  await page.getByRole("link", { name: "catalog", exact: true }).click();
  await expect(page.getByRole("textbox", { name: /Pattern of file names/ })).toBeVisible();
  await page.getByRole("tab", { name: "Files", exact: true }).click();
  await expect(page.getByRole("grid", { name: "Files" })).toBeVisible();
  await page.getByRole("textbox", { name: /Pattern of file names/ }).fill("data/cohort/{subject}.nii");
  await expect(page.getByText(/: 6 files match/)).toBeVisible();
  await page.getByRole("tab", { name: "Query" }).click();
  await page.getByRole("combobox", { name: "One sample for each" }).selectOption("subject");
  await expect(page.getByRole("heading", { name: "Found: 6 samples" })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  await page.getByLabel("Name of column 1").fill("");
  await expect(page.getByText("Name every column.")).toBeVisible();
});
