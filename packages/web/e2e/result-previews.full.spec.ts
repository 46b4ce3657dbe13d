import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { copyCatalog, preview, runWithFiles } from "./result-files.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("every kind of result has its preview, and executes nothing", async ({ page, ownServer, watch }) => {
  test.setTimeout(120_000);
  const server = await ownServer({ catalog: await copyCatalog() });
  const runId = await runWithFiles(page.request, server.url);
  await page.goto(`${server.url}/run/${runId}?tab=outputs`);

  const table = await preview(page, "table.csv");
  await expect(table.getByRole("columnheader", { name: "volume" })).toBeVisible();
  await expect(table.getByRole("cell", { name: "sub, two" })).toBeVisible();
  await expect((await preview(page, "table.tsv")).getByRole("cell", { name: "2" })).toBeVisible();
  const json = await preview(page, "values.json");
  await expect(json.getByText("mean: 3.5")).toBeVisible();
  await expect(json.getByText('er: "here"')).toBeHidden();
  await json.getByText("1: {1}").click();
  await json.getByText("deep: {1}").click();
  await expect(json.getByText('er: "here"')).toBeVisible();
  await json.getByRole("button", { name: "Show as text" }).click();
  await expect(json.getByText('"mean": 3.5')).toBeVisible();
  await expect((await preview(page, "notes.md")).getByText("# Notes")).toBeVisible();
  await expect((await preview(page, "empty.txt")).getByText("The file is empty.")).toBeVisible();
  await expect((await preview(page, "paper.pdf")).locator("iframe")).not.toHaveAttribute("sandbox");
  // The browser's own viewer shows it, in the gallery without its controls.
  const viewers = (of: RegExp) =>
    page.frames().filter((frame) => of.test(frame.parentFrame()?.url() ?? "") && frame.url().startsWith("chrome-ext"));
  await expect.poll(() => viewers(/paper\.pdf$/).length).toBe(1);
  await expect.poll(() => viewers(/paper\.pdf#toolbar=0/).length).toBe(1);
  for (const name of ["dot.png", "plot.svg"]) {
    const picture = (await preview(page, name)).getByRole("img", { name });
    await expect(picture).toHaveJSProperty("complete", true);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  const report = (await preview(page, "report.html")).frameLocator("iframe");
  await expect(report.getByRole("heading", { name: "Report" })).toBeVisible();
  await expect(report.getByText("scripts run")).toHaveCount(0);
  await expect(page).not.toHaveTitle(/taken over/);
  await (await preview(page, "dot.png")).getByText("Details").click(); // axe waits for answers that a closed frame cannot give
  expect(await accessibilityProblems(page)).toEqual([]);
  // The browser reports that it has blocked the scripts.
  expect(watch.consoleErrors.filter((text) => !/sandbox/.test(text))).toEqual([]);
  watch.consoleErrors.length = 0;
});
