import { expect } from "@playwright/test";
import { startExample, waitForEnd } from "./weft-api.ts";
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

test("a file is looked up by its content without being sent", async ({ page }) => {
  await page.goto("/prov");
  await page
    .getByLabel("File to look up")
    .setInputFiles({ name: "unknown.txt", mimeType: "text/plain", buffer: Buffer.from("abc") });
  await expect(page).toHaveURL(/checksum=sha1%24a9993e364706816aba3e25717850c26c9cd0d89d/);
  await expect(page.getByText("No run has read or written a file with this content.")).toBeVisible();
});
