import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import type { FileOccurrence, FileOccurrenceList } from "@weft/shared/records/lineage-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { readNetwork, startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("an output leads to the job that made it, its command line and the files that it read", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const started = await startExample(request, "imaging-cohort");
  const run = await waitForEnd(request, started.run_id);
  expect(run.state).toBe("COMPLETE");
  await page.goto(`/run/${run.run_id}?tab=outputs`);
  await page.getByRole("gridcell").first().click();
  await page.getByRole("dialog").getByText("Details", { exact: true }).first().click();
  const checksum = await page.locator("a.code", { hasText: "sha1$" }).first().innerText();
  await page.getByRole("link", { name: "Where does this come from?" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Provenance" })).toBeFocused();
  await expect(page.getByText(checksum).first()).toBeVisible();
  await expect(page.getByText("It read").first()).toBeVisible();
  await expect(page.getByRole("region", { name: /^Command line of/ }).first()).toContainText("node");

  await page.getByRole("textbox", { name: "Checksum" }).fill(checksum);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const table = page.getByRole("table", { name: "Where the file was read or written" });
  await expect(table.getByRole("row").filter({ hasText: "written as" }).first()).toBeVisible();
});

/** Drops a file where the page asks where it comes from, as a hand would from the desktop. */
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

test("a result that is dropped leads to its run, which is compared with a changed one and reproduced, by clicks alone", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const { examples } = await readNetwork(request, "text-statistics");
  const startWith = async (top: number): Promise<Run> => {
    const data = { network: "text-statistics", name: `top ${top}`, inputs: { ...examples[0]?.inputs, top } };
    const response = await request.post("/api/runs", { data });
    expect(response.status()).toBe(201);
    return waitForEnd(request, ((await response.json()) as Run).run_id); // The API's own tests prove the shape.
  };
  const run = await startWith(11);
  const changed = await startWith(12);
  const outputsOf = async ({ run_id: runId }: Run): Promise<readonly FileOccurrence[]> => {
    const answer = await request.get(`/api/provenance/files?run=${runId}&scope=run&direction=output`);
    return ((await answer.json()) as FileOccurrenceList).files; // as above
  };
  const others = new Set((await outputsOf(changed)).map(({ checksum }) => checksum));
  const output = (await outputsOf(run)).find(({ checksum }) => !others.has(checksum));
  const content = await (await request.get(output?.url ?? "")).body();

  await page.goto("/");
  await page.getByRole("link", { name: "Provenance", exact: true }).first().click();
  await dropFile(page, { name: "found-on-a-disk.txt", content });
  const table = page.getByRole("table", { name: "Where the file was read or written" });
  const written = table.getByRole("row").filter({ hasText: "written as" }).filter({ hasText: "(the run)" });
  await written.first().getByRole("link", { name: "text-statistics" }).click();
  await expect(page.getByRole("tab", { name: "Provenance" })).toHaveAttribute("aria-selected", "true");
  const steps = page.getByRole("region", { name: "Steps and the files between them" });
  await expect(steps.getByText("Inputs")).toBeVisible();
  await expect(page.getByRole("link", { name: "Crate" })).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Compare…" }).click();
  await page.getByRole("button", { name: new RegExp(`^Compare: .*${changed.run_id.slice(-12)}`) }).click();
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Different.");
  await expect(verdict).toContainText(/Same document, 1 of \d+ inputs differs: 1 of \d+ outputs differs\./);
  // The one job that gave something else was given another number: none is to blame.
  await expect(verdict.getByRole("link", { name: "The first job that gave something else" })).toBeHidden();
  await page.getByRole("link", { name: "top 11", exact: true }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Reproduce…" }).click();
  await page.getByRole("button", { name: "Run it again and compare" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "top 11 (again)" })).toBeVisible();
  const reproduction = page.getByRole("region", { name: "Reproduction" });
  await expect(reproduction).toContainText(/Identical\. Same document, same inputs: all \d+ outputs are identical\./, {
    timeout: 60_000,
  });
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});
