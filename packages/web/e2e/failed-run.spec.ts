import { join } from "node:path";
import { expect } from "@playwright/test";
import { textLocation, writeCheckCatalog } from "./check-catalog.ts";
import { newStateFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";

const SAMPLES = ["sub-01", "sub-02", "sub-03", "sub-04", "sub-05", "sub-06"] as const;

test("the page of a run with one bad sample of six shows what came out and what went wrong", async ({
  page,
  request,
  ownServer,
}) => {
  const catalog = join(await newStateFolder(), "catalog");
  const give = await writeCheckCatalog(catalog);
  for (const sample of SAMPLES) await give(sample, sample === "sub-03" ? "bad" : `text of ${sample}`);
  const server = await ownServer({ catalog });
  const texts = SAMPLES.map((sample) => ({ class: "File", location: textLocation(sample) }));
  const data = { network: "checks-twice", inputs: { texts }, samples: { texts: SAMPLES } };
  const created = await request.post(`${server.url}/api/runs`, { data });
  // The API's own tests prove the shape.
  const { run_id: runId } = (await created.json()) as { run_id: string };
  await page.goto(`${server.url}/run/${runId}`);

  const outputs = page.getByRole("region", { name: "Outputs" });
  await expect(outputs.getByText("Partial", { exact: true })).toBeVisible({ timeout: 30_000 });
  // The step after the failed one ran for the other samples.
  await expect(outputs.getByText("1 missing: sub-03")).toHaveCount(2);
  await expect(outputs.getByRole("link", { name: "sub-02.checked.txt", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Check failed for sub-03" })).toBeVisible();
  // State, actions and tabs are one low bar, which stays in sight.
  await page.evaluate(() => globalThis.scrollTo(0, document.documentElement.scrollHeight));
  const site = await page.getByRole("banner").boundingBox();
  const tabs = await page.getByRole("tablist", { name: "About this run" }).boundingBox();
  expect((tabs?.y ?? 999) + (tabs?.height ?? 0) - (site?.height ?? 0)).toBeLessThan(96);
  await page.getByRole("tab", { name: "Outputs" }).click();
  await expect(page.getByText("sub-02.checked.txt", { exact: true }).first()).toBeVisible();

  // Two steps that run one tool differ in the graph; an output shows its files there.
  await page.getByRole("tab", { name: "Graph" }).click();
  const graph = page.getByRole("group", { name: /^Graph/ });
  await expect(graph.getByRole("button", { name: /check.*Check a text/ })).toBeVisible();
  await expect(graph.getByRole("button", { name: /again.*Check a text/ })).toBeVisible();
  await graph.getByRole("button", { name: /output all/ }).click();
  await expect(page.getByRole("region", { name: "Output all" })).toContainText("sub-02.checked.txt");

  // Every mention of the failed job leads to its panel, which shows its standard error.
  await page.getByRole("link", { name: "View job" }).click();
  await expect(page.getByRole("dialog").getByRole("region", { name: "Standard error" })).toContainText("bad data");
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "State" }).selectOption({ label: "Failed (tool)" });
  await expect(page.getByText("1 job", { exact: true })).toBeVisible();

  await page.goto(`${server.url}/network/broken`);
  await expect(page.getByRole("alert")).toContainText("This network has errors and cannot run.");
});
