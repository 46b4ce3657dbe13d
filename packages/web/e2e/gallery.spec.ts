import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { galleryCatalog, runGallery } from "./gallery-catalog.ts";
import { brightness, pixelsOf, settledInk } from "./settled-ink.ts";
import { ownServerTest as test } from "./weft-test.ts";

const SUBJECTS = ["sub-01", "bad-02", "sub-03"];

test("shows results by sample and output, in a gallery, a viewer and a list, with the keyboard", async ({
  page,
  ownServer,
}) => {
  const server = await ownServer({ catalog: await galleryCatalog() });
  const runId = await runGallery(page.request, server.url, { subjects: SUBJECTS });
  await page.goto(`${server.url}/run/${runId}?tab=outputs`);
  await expect(page.getByText("Partial", { exact: true })).toBeVisible();
  const grid = page.getByRole("grid", { name: "Results by sample" });
  await expect(grid.getByRole("rowheader")).toHaveText(SUBJECTS);
  const outputs = ["image", "mask", "plot", "table", "volume", "series"];
  await expect(grid.getByRole("columnheader")).toHaveText(["Sample", ...outputs]);
  const row = (sample: string) => grid.getByRole("row").filter({ has: page.getByRole("rowheader", { name: sample }) });
  await expect(row("bad-02").getByText("Failed")).toHaveCount(4);
  await expect(row("sub-01")).toContainText("regionvolumeleft2right7");
  await expect(row("sub-01").getByRole("gridcell").nth(4)).toHaveText("9");
  // Three planes of the image are drawn, not black.
  await expect.poll(() => brightest(page)).toBeGreaterThan(200);
  await expect(page.getByText(/sha1\$/)).toHaveCount(0);
  expect(await accessibilityProblems(page)).toEqual([]);

  // Keys move in the grid, and in the viewer between samples and outputs.
  await row("sub-01").getByRole("gridcell").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  const viewer = page.getByRole("dialog");
  await expect(viewer.getByRole("heading", { name: "sub-01 · image" })).toBeVisible();
  await expect(viewer.getByRole("img", { name: /^Axial slice/ })).toBeVisible();
  await expect(page).toHaveURL(/open=2\.image/);
  const plain = await settledInk(page, brightness);
  await viewer.getByLabel("Overlay").selectOption({ label: "mask: sub-01-mask.nii.gz" });
  await expect(viewer.getByRole("slider", { name: /^Opacity/ })).toHaveValue("50");
  await expect.poll(() => overlayInk(page)).toBeGreaterThan(0);
  expect(await settledInk(page, brightness)).toBe(plain);
  await viewer.getByLabel("Side by side").selectOption({ label: "mask: sub-01-mask.nii.gz" });
  const other = viewer.getByRole("region", { name: "sub-01-mask.nii.gz" });
  await expect(other.getByText(/^Voxel 11, 11, 11/)).toBeVisible();
  await viewer
    .getByRole("slider", { name: /^Axial/ })
    .first()
    .press("ArrowRight");
  await expect(other.getByText(/^Voxel 11, 11, 12 at 11\.0, 11\.0, 12\.0 mm/)).toBeVisible();
  await other.getByRole("slider", { name: /^Sagittal/ }).press("ArrowLeft");
  await expect(viewer.getByText(/^Voxel 10, 11, 12/)).toHaveCount(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await viewer.getByRole("button", { name: "Next output" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(viewer.getByRole("heading", { name: "sub-01 · mask" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(viewer.getByRole("heading", { name: "bad-02 · mask" })).toBeVisible();
  await expect(viewer.getByRole("link", { name: "View job" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(viewer.getByRole("heading", { name: "sub-03 · plot" })).toBeVisible();
  await page.reload();
  await expect(viewer.getByRole("img", { name: "sub-03.png" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer).toHaveCount(0);
  await expect(row("sub-03").getByRole("gridcell").nth(2)).toBeFocused();

  // The filters, and the list view.
  await page.getByRole("searchbox", { name: "Find a sample or file" }).fill("sub-03");
  await expect(grid.getByRole("rowheader")).toHaveText(["sub-03"]);
  await page.getByRole("combobox", { name: "Output" }).selectOption("table");
  await expect(grid.getByRole("gridcell")).toHaveText([/sub-03\.csv/]);
  await page.getByRole("button", { name: "List", exact: true }).click();
  await expect(grid.getByRole("gridcell")).toHaveText(["sub-03.csv29 B"]);
  await page.getByRole("searchbox", { name: "Find a sample or file" }).fill("none such");
  await expect(page.getByText("No results match.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page.getByRole("grid", { name: "Results of the run" }).getByRole("gridcell")).toHaveCount(2);
});

/** The brightest value of the small pictures. */
async function brightest(page: Page): Promise<number> {
  return (await pixelsOf(page, "[role=gridcell] canvas")).brightest;
}

/** The number of voxels of the first slice that the overlay covers. */
async function overlayInk(page: Page): Promise<number> {
  return (await pixelsOf(page, "[role=dialog] canvas[aria-hidden]")).painted;
}
