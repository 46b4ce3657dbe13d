import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { newFolder } from "./own-server.ts";

/** The synthetic dataset of 40 subjects with gaps. */
export async function practiceDataset(): Promise<string> {
  const folder = join(await newFolder(), "study");
  execFileSync(process.execPath, ["packages/catalog/lib/bids/1.0.0/make-dataset.mjs", folder]);
  return folder;
}

/** Opens the query builder for the cohort network, and finds second sessions of subjects that are older than `age`. */
export async function queryStudy(page: Page, url: string, age: string): Promise<void> {
  await page.goto(`${url}/network/imaging-cohort?tab=run`);
  await page.getByRole("button", { name: "Add samples" }).click();
  await page.getByRole("menuitem", { name: "From a dataset…" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Datasets" })).toBeVisible();
  await page.getByRole("link", { name: "study", exact: true }).click();
  // Begins with the network's list of files, and the most common image.
  await expect(page.getByLabel("Value of condition 1")).toHaveValue("T1w");
  await expect(page.getByLabel("Name of column 1")).toHaveValue("images");
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("combobox", { name: "Field of condition 2" }).selectOption("ses");
  await page.getByLabel("Value of condition 2").fill("2");
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("combobox", { name: "Field of condition 3" }).selectOption("age");
  await page.getByRole("combobox", { name: "Comparison of condition 3" }).selectOption({ label: "is over" });
  await page.getByLabel("Value of condition 3").fill(age);
}
