import { expect, type Page } from "@playwright/test";
import { checkCatalog, textLocation } from "./check-catalog.ts";
import { startRun } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";

const SAMPLES = ["sub-01", "sub-02", "sub-03", "sub-04", "sub-05", "sub-06"] as const;

test("the page of a run with one bad sample of six shows its results and its failure", async ({
  page,
  request,
  ownServer,
}) => {
  const given = SAMPLES.map((sample) => [sample, sample === "sub-03" ? "bad" : `text of ${sample}`]);
  const server = await ownServer({ catalog: await checkCatalog(Object.fromEntries(given)) });
  const texts = SAMPLES.map((sample) => ({ class: "File", location: textLocation(sample) }));
  const data = { network: "checks-twice", inputs: { texts }, samples: { texts: SAMPLES } };
  const { run_id: runId } = await startRun(request, data, server.url);
  await page.goto(`${server.url}/run/${runId}`);

  const outputs = page.getByRole("region", { name: "Results" });
  await expect(outputs.getByText("Partial", { exact: true })).toBeVisible({ timeout: 30_000 });
  // The step after the failed one ran for the other samples.
  await expect(outputs.getByText("1 missing: sub-03")).toHaveCount(2);
  await expect(outputs.getByRole("link", { name: /^5 files, / })).toHaveCount(2);
  await expect(page.getByRole("heading", { name: "Check failed for sub-03: bad data" })).toBeVisible();
  await expect(page.getByText("5 of 6 samples succeeded, 1 failed.")).toBeVisible();
  // The failure, its cause and the next action are visible without scrolling, because the bar is low.
  for (const [width, height, most] of [
    [390, 844, 88],
    [1280, 800, 96],
  ] as const) {
    await page.setViewportSize({ width, height });
    const retry = page.getByRole("button", { name: "Retry sub-03" });
    for (const part of [retry, page.getByRole("region", { name: "Standard error" }), page.getByText("5 of 6 samples")])
      await expect(part).toBeInViewport({ ratio: 1 });
    expect(await barHeight(page)).toBeLessThan(most);
  }
  // State, actions and tabs are one low bar, which stays visible.
  await page.evaluate(() => globalThis.scrollTo(0, document.documentElement.scrollHeight));
  expect(await barHeight(page)).toBeLessThan(96);
  await page.getByRole("tab", { name: "Results" }).click();
  await expect(page.getByText("sub-02.checked.txt", { exact: true }).first()).toBeVisible();

  // Two steps that run one tool differ in the graph; an output shows its files there.
  await page.getByRole("tab", { name: "Graph" }).click();
  const graph = page.getByRole("group", { name: /^Graph/ });
  await expect(graph.getByRole("button", { name: /check.*Check a text/ })).toBeVisible();
  await expect(graph.getByRole("button", { name: /again.*Check a text/ })).toBeVisible();
  // The graph fits into the window, and no text in it is smaller than 11 pixels.
  const place = await graph.boundingBox();
  const windowHeight = await page.evaluate(() => window.innerHeight);
  expect((place?.y ?? 0) + (place?.height ?? 0)).toBeGreaterThan(windowHeight - 40);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBeLessThanOrEqual(0);
  expect(await graph.evaluate(smallestText)).toBeGreaterThanOrEqual(11);
  await graph.getByRole("button", { name: /check.*Check a text/ }).hover();
  await expect(page.getByRole("tooltip")).toContainText(/Reads.*Writes.*to again/s);
  await expect(graph.getByRole("button", { name: /^check .*5 succeeded, 1 failed/ })).toBeVisible();
  await graph.getByRole("button", { name: /output all/ }).click();
  await expect(page.getByRole("region", { name: "Output all" })).toContainText("sub-02.checked.txt");

  // The inputs link to the provenance of their files.
  await page.getByRole("tab", { name: "Inputs" }).click();
  await expect(page.getByRole("link", { name: "sub-03.txt" })).toHaveAttribute("href", /\/prov\?q=sub-03\.txt/);

  await page.getByRole("tab", { name: "Overview" }).click();
  // Every mention of the failed job leads to its panel, which shows its standard error.
  await page.getByRole("link", { name: "View job" }).click();
  await expect(page.getByRole("dialog").getByRole("region", { name: "Standard error" })).toContainText("bad data");
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "State" }).selectOption({ label: "Failed" });
  await expect(page.getByRole("status").filter({ hasText: /^1 of \d+ jobs$/ })).toBeVisible();

  await page.goto(`${server.url}/network/broken`);
  await expect(page.getByRole("alert")).toContainText("This network cannot run. Its document has an error:");
});

/** Height in pixels of the smallest text that can be seen on the buttons below an element. */
function smallestText(element: Element): number {
  const sizes = [...element.querySelectorAll("button span:not(.sr-only)")].map((text) => {
    const button = text.closest("button");
    const scale = button === null ? 1 : button.getBoundingClientRect().width / button.offsetWidth;
    return Number.parseFloat(getComputedStyle(text).fontSize) * scale;
  });
  return Math.min(...sizes);
}

/** From the end of the site's bar to the end of the tabs. */
async function barHeight(page: Page): Promise<number> {
  const site = await page.getByRole("banner").boundingBox();
  const tabs = await page.getByRole("tablist", { name: "About this run" }).boundingBox();
  return (tabs?.y ?? 999) + (tabs?.height ?? 0) - (site?.height ?? 0);
}
