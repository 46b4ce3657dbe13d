import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { freePort, newStateFolder, startServer } from "./own-server.ts";
import { startExample, waitForEnd } from "./weft-api.ts";

test("a run of another server is imported from its crate, tells where it was made, and is reproduced", async ({
  page,
  playwright,
}) => {
  test.setTimeout(180_000);
  const there = await startServer({ port: await freePort(), state: await newStateFolder(), prefix: "" });
  const request = await playwright.request.newContext({ baseURL: there.url });
  const run = await waitForEnd(request, (await startExample(request, "text-statistics")).run_id);
  const crate = await (await request.get(`/api/runs/${run.run_id}/provenance?format=ro-crate`)).body();
  await request.dispose();
  await there.stop();
  const here = await startServer({ port: await freePort(), state: await newStateFolder(), prefix: "" });
  try {
    await page.goto(`${here.url}/prov`);
    const chosen = page.getByLabel("Crate to import");
    await chosen.setInputFiles({ name: "broken.zip", mimeType: "application/zip", buffer: crate.subarray(0, 2000) });
    await expect(
      page.getByText("The zip cannot be read: End of central directory record signature not found."),
    ).toBeVisible();

    await chosen.setInputFiles({ name: "crate.zip", mimeType: "application/zip", buffer: crate });
    const imported = page.getByRole("region", { name: "Imported" });
    await expect(imported).toContainText(`made on another server, as ${run.run_id} by ${run.owner}`);
    await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Reproduce…" }).click();
    await page.getByRole("button", { name: "Run it again and compare" }).click();
    const verdict = page.getByRole("region", { name: "Reproduction" });
    await expect(verdict).toContainText(/Identical\. Same document, same inputs/, { timeout: 60_000 });
  } finally {
    await here.stop();
  }
});
