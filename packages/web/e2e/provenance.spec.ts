import { expect, type APIRequestContext, type Page } from "@playwright/test";
import type { FileOccurrence, FileOccurrenceList } from "@weft/shared/records/lineage-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { compareButton, readNetwork, runExampleToEnd, startRun, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("an output leads to a sentence about its origin, the job that made it and the files that it read", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const run = await runExampleToEnd(request, "imaging-cohort");
  expect(run.state).toBe("COMPLETE");
  await page.goto(`/run/${run.run_id}?tab=outputs`);
  await page.getByRole("gridcell").first().click();
  await page.getByRole("dialog").getByText("Details", { exact: true }).first().click();
  const checksum = await page.locator("a.code", { hasText: "sha1$" }).first().innerText();
  await page.getByRole("dialog").getByRole("link", { name: "Provenance" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Provenance" })).toBeFocused();
  await expect(page.getByText(checksum).first()).toBeVisible();
  await expect(page.getByText("Files read").first()).toBeVisible();
  await expect(page.getByRole("region", { name: /^Command line of/ }).first()).toContainText("node");

  await page.getByRole("textbox", { name: "Checksum" }).fill(checksum);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const found = page.getByRole("list", { name: "Where the file was read or written" }).getByRole("listitem");
  const story = found.filter({ hasText: "Made by" }).first();
  // An earlier run on the same server may have made it, and this one reused it.
  await expect(story).toContainText(`in run ${run.name}`);
  await expect(story).toContainText("from sub-0");
});

test("a run is a graph of files and jobs, folded by sample, to be walked through by keyboard", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const run = await runExampleToEnd(request, "imaging-cohort");
  const first = (await filesOf(request, run)).find(({ port }) => port === "smoothed");
  const { inputs } = (await readNetwork(request, "subject-measures")).examples[0] ?? {};
  const image = { class: "File", location: first?.url };
  const data = { network: "subject-measures", name: "Once more", inputs: { ...inputs, image } };
  await waitForEnd(request, (await startRun(request, data)).run_id);

  await page.goto(`/run/${run.run_id}?tab=prov`);
  const graph = page.getByRole("group", { name: /^Files and jobs from left to right/ });
  const node = (name: string | RegExp) => graph.getByRole("button", { name });
  await expect(node(/^Jobs: Smooth ×6/)).toBeVisible();
  await expect(node(/^Files: smoothed output 6 files/)).toBeVisible();
  // Tab reaches one node; the arrow keys lead along the lines.
  await node(/^Files: images/).focus();
  await page.keyboard.press("ArrowRight");
  await expect(graph.locator("button:focus")).toHaveAccessibleName(/^Jobs: /);
  await node(/^Jobs: Smooth/).focus();
  await page.keyboard.press("ArrowRight");
  await expect(node(/^Files: smoothed/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/part=files/);
  const files = page.getByRole("list", { name: "smoothed" }).getByRole("listitem");
  await expect(files).toHaveCount(6);
  await expect(files.filter({ hasText: first?.name ?? "" })).toContainText(
    /Made by smooth 1\.0\.0 in run .* from sub-0\d\.nii.*; its content was read since by 1 run\./,
  );
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("button", { name: "Show all outputs" }).click();
  await page.getByRole("combobox", { name: "Sample" }).fill("sub-03");
  await expect(node(/^Files: sub-03\.nii/)).toBeVisible();
  await expect(page.getByText("7 output files, made by 7 jobs in 7 steps from 1 input file.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Files made for sub-03" })).toContainText("sub-03_mask.nii");
  await page.getByRole("button", { name: "Collapse nested networks" }).click();
  await expect(node(/^Jobs: measure_subjects/)).toContainText("4 steps within");
  await node(/^Jobs: measure_subjects/).press("Enter");
  await expect(node(/^Jobs: Threshold/)).toBeVisible();
  const used = page.getByRole("region", { name: "Downstream runs" }).getByRole("link", { name: "Once more" });
  await expect(used).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await used.click();
  await expect(page.getByRole("region", { name: "Upstream runs" })).toContainText(run.name);
  await node(/^Files: .* image$/).click();
  await expect(page.getByText(/the same content as made by smooth 1\.0\.0 in run/)).toBeVisible();
});

/** The outputs of a run. */
async function filesOf(request: APIRequestContext, run: Run): Promise<readonly FileOccurrence[]> {
  const answer = await request.get(`/api/provenance/files?run=${run.run_id}&scope=run&direction=output`);
  return ((await answer.json()) as FileOccurrenceList).files; // the tests of the API prove the shape
}

/** Drops a file on the field that looks up its origin, as a user does from the desktop. */
async function dropFile(page: Page, { name, content }: { readonly name: string; readonly content: Buffer }) {
  const given = { name, bytes: [...content] };
  const dataTransfer = await page.evaluateHandle((file) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(file.bytes)], file.name));
    return transfer;
  }, given);
  await page.getByText("Where does this file come from?").dispatchEvent("drop", { dataTransfer });
}

test("a file is looked up by its content without being sent", async ({ page }) => {
  await page.goto("/prov");
  await page
    .getByLabel("File to look up")
    .setInputFiles({ name: "unknown.txt", mimeType: "text/plain", buffer: Buffer.from("abc") });
  await expect(page).toHaveURL(/checksum=sha1%24a9993e364706816aba3e25717850c26c9cd0d89d/);
  await expect(page.getByText("No run has read or written a file with this content.")).toBeVisible();
});

test("a dropped result leads to its run, which is compared with a changed one, using only clicks", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const runWith = (top: number) =>
    runExampleToEnd(request, "text-statistics", { change: { top }, more: { name: `top ${top}` } });
  const [run, changed] = [await runWith(11), await runWith(12)];
  const others = new Set((await filesOf(request, changed)).map(({ checksum }) => checksum));
  const output = (await filesOf(request, run)).find(({ checksum }) => !others.has(checksum));
  const content = await (await request.get(output?.url ?? "")).body();

  await page.goto("/");
  await page.getByRole("link", { name: "Provenance", exact: true }).first().click();
  await dropFile(page, { name: "found-on-a-disk.txt", content });
  const found = page.getByRole("list", { name: "Where the file was read or written" }).getByRole("listitem");
  await found.filter({ hasText: "Made by" }).first().getByRole("link", { name: "top 11" }).click();
  await expect(page.getByRole("tab", { name: "Provenance" })).toHaveAttribute("aria-selected", "true");
  await expect(
    page
      .getByRole("group", { name: /^Files and jobs/ })
      .getByRole("button")
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Crate" })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Compare…" }).click();
  await compareButton(page, changed.run_id).click();
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Different.");
  await expect(verdict).toContainText(/Same document, 1 of \d+ inputs differs: 1 of \d+ outputs differs\./);
  // The only job with another result had another number as its input, so no job is to blame.
  await expect(verdict.getByRole("link", { name: "First diverging job" })).toBeHidden();
  expect(await accessibilityProblems(page)).toEqual([]);
});
