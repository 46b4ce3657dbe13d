import { expect } from "@playwright/test";
import { readNetwork, startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("a failed job says what happened, and its debug bundle is downloaded with data or without", async ({
  page,
  request,
}) => {
  const network = await readNetwork(request, "practice-load");
  const inputs = network.examples.find(({ name }) => name === "one-failure")?.inputs ?? {};
  const response = await request.post("/api/runs", { data: { network: "practice-load", inputs } });
  const { run_id: runId } = (await response.json()) as { run_id: string };
  await waitForEnd(request, runId);
  await page.goto(`/run/${runId}`);
  await expect(page.getByRole("heading", { name: /failed/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Standard error" })).toContainText("failing, as asked");
  await page.getByText("Debug bundle").click();
  for (const [link, ending] of [
    ["With data", "with-data.zip"],
    ["Safe to share", "safe-to-share.zip"],
  ] as const) {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: link }).click();
    expect((await download).suggestedFilename()).toContain(ending);
    expect(await (await download).failure()).toBeNull();
  }
});

test("all outputs of a run are downloaded at once", async ({ page, request }) => {
  const run = await startExample(request, "text-statistics");
  await waitForEnd(request, run.run_id);
  await page.goto(`/run/${run.run_id}?tab=outputs`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download all as zip" }).click();
  expect((await download).suggestedFilename()).toBe(`outputs-${run.run_id}.zip`);
  expect(await (await download).failure()).toBeNull();
});
