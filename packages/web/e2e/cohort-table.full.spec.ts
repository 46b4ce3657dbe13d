import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { cohortCatalog, runCohort } from "./cohort-catalog.ts";
import { downloadText } from "./page-actions.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("the results of a cohort are a table that users choose, sort, filter and download", async ({
  page,
  ownServer,
}) => {
  const server = await ownServer({ catalog: await cohortCatalog() });
  const runId = await runCohort(page.request, server.url);
  await page.goto(`${server.url}/run/${runId}?tab=table`);
  const grid = page.getByRole("grid", { name: "Samples" });
  const names = grid.getByRole("rowheader");
  await expect(names).toHaveCount(12);
  const heads = grid.getByRole("columnheader");
  await expect(heads).toHaveText(["Sample", "volumes", "sites", "volume_ml", "site", "thickness"]);

  // In descending order, the outlier comes first.
  await grid.getByRole("button", { name: "volume_ml, sort" }).click();
  await grid.getByRole("button", { name: "volume_ml, sorted ascending" }).click();
  await expect(names.first()).toHaveText("sub-12");
  await page.getByRole("searchbox").fill("volume_ml > 43 volume_ml < 90");
  await expect(names).toHaveText(["sub-07", "sub-04", "sub-11"]);
  await expect(page.getByText("3 of 12 samples")).toBeVisible();
  await page.getByRole("searchbox").fill("");
  await expect(names).toHaveCount(12);

  // Fields are remembered.
  await page.getByRole("button", { name: "Fields (5)" }).click();
  const picker = page.getByRole("dialog", { name: "Fields of the table" });
  await picker.getByRole("checkbox", { name: /^sites / }).uncheck();
  await picker.getByRole("checkbox", { name: /^thickness / }).uncheck();
  await expect(heads).toHaveText(["Sample", "volumes", "volume_ml", "site"]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await picker.getByRole("button", { name: "Close" }).click();
  await page.reload();
  await expect(heads).toHaveText(["Sample", "volumes", "volume_ml", "site"]);

  const text = await downloadText(page, "CSV");
  expect(text.split("\r\n").slice(0, 2)).toEqual(["sample,volumes,volume_ml,site", "sub-01,40,40,north"]);

  // A sample with its files and jobs; Enter opens the sample at the cursor.
  await names.first().click();
  await grid.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "sub-12" });
  await expect(panel.getByRole("link", { name: /sub-12\.json/ })).toBeVisible();
  await expect(panel.getByRole("region", { name: "Jobs" }).getByRole("link")).toHaveCount(1);
  expect(await accessibilityProblems(page)).toEqual([]);
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(panel).toHaveCount(0);
});

test("measures are plotted, also by group and against each other, with mouse and keyboard", async ({
  page,
  ownServer,
}) => {
  const server = await ownServer({ catalog: await cohortCatalog() });
  const runId = await runCohort(page.request, server.url);
  await page.goto(`${server.url}/run/${runId}?tab=table&show=plots`);
  await page.getByRole("combobox", { name: "Measure" }).selectOption({ label: "volume_ml" });
  const plot = page.getByRole("application", { name: "Plot: Distribution of volume_ml" });
  await expect(plot.locator("canvas")).toBeVisible();
  const statistics = page.getByRole("table", { name: /^Statistics/ });
  await expect(statistics.getByRole("row").last()).toContainText("12");
  const outliers = page.getByRole("region", { name: "Outliers" });
  await expect(outliers.getByRole("button")).toHaveText(["sub-12"]);

  // The last bar contains the outlier.
  await plot.focus();
  await page.keyboard.press("End");
  await expect(page.getByText(/^volume_ml .*: 1 sample, 1 outlier$/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /^volume_ml .* to / }).getByRole("button")).toHaveText(["sub-12"]);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("combobox", { name: "Group by" }).selectOption({ label: "sites" });
  await expect(page.getByRole("application", { name: "Plot: volume_ml by group" })).toBeVisible();
  await expect(statistics.getByRole("row")).toHaveCount(3);
  await page.getByRole("combobox", { name: "Against" }).selectOption({ label: "thickness" });
  const scatter = page.getByRole("application", { name: "Plot: thickness against volume_ml" });
  await scatter.focus();
  await page.keyboard.press("End");
  await expect(page.getByText("sub-12: volume_ml 95, thickness 9.5, south, outlier")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByText("sub-07: volume_ml 45, thickness 4.5, north")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "sub-07" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(scatter.locator("canvas")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("the samples of two runs are compared, with differences", async ({ page, ownServer }) => {
  const server = await ownServer({ catalog: await cohortCatalog() });
  const [first, second] = [await runCohort(page.request, server.url), await runCohort(page.request, server.url, 2)];
  await page.goto(`${server.url}/runs?compare=${first},${second}`);
  await page.getByRole("group", { name: "Compare" }).getByRole("button", { name: "Samples" }).click();
  const grid = page.getByRole("grid", { name: "Samples" });
  await expect(grid.getByRole("rowheader")).toHaveCount(12);
  await expect(grid.getByRole("button", { name: "volume_ml B − A, sort" })).toBeVisible();
  const row = grid.getByRole("row").filter({ has: page.getByRole("rowheader", { name: /^sub-01/ }) });
  await expect(row.getByRole("gridcell", { name: "+40", exact: true })).toBeVisible();
  // The table's state is in the URL, which changes a moment later.
  const differing = page.getByRole("checkbox", { name: "Only samples that differ (12)" });
  await differing.click();
  await expect(differing).toBeChecked();
  await expect(grid.getByRole("rowheader")).toHaveCount(12);
  await page.getByRole("button", { name: "Plots" }).click();
  await page.getByRole("combobox", { name: "Measure" }).selectOption({ label: "volume_ml" });
  await expect(page.getByRole("application", { name: "Plot: volume_ml by group" })).toBeVisible();
  await expect(page.getByRole("table", { name: /^Statistics/ })).toContainText("B: Cohort 2");
  expect(await accessibilityProblems(page)).toEqual([]);
});
