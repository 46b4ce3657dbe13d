import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { copyCatalog, preview, runWithFiles, SIDE } from "./result-files.ts";
import { brightness, settledInk } from "./settled-ink.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("a user moves through a NIfTI image in three planes", async ({ page, ownServer }) => {
  const server = await ownServer({ catalog: await copyCatalog() });
  const runId = await runWithFiles(page.request, server.url);
  await page.goto(`${server.url}/run/${runId}?tab=outputs`);
  const image = await preview(page, "series.nii.gz");
  const axial = image.getByRole("img", { name: `Axial slice 12 of ${SIDE} of series.nii.gz` });
  await expect(axial).toBeVisible();
  await expect(image.getByText("Neurological view: left is left")).toBeVisible();
  await expect(image.getByText("Voxel 12, 11, 11 at 1.0, 0.0, 0.0 mm: 127")).toBeVisible();
  await image.getByRole("slider", { name: /^Axial/ }).press("ArrowRight");
  await expect(image.getByRole("img", { name: /^Axial slice 13/ })).toBeVisible();
  await image.getByRole("slider", { name: /^Volume/ }).press("End");
  await expect(image.getByText(/^Voxel .*: 196$/)).toBeVisible();
  const whole = await settledInk(page, brightness);
  await image.getByRole("slider", { name: "Level" }).press("End");
  await expect.poll(() => brightness(page)).toBeLessThan(whole);
  await image.getByRole("button", { name: "Reset" }).click();
  await expect.poll(() => brightness(page)).toBe(whole);
  await image.getByRole("img", { name: /^Coronal/ }).click({ position: { x: 3, y: 3 } });
  await expect(image.getByText(/^Voxel 23, 11, 23/)).toBeVisible();
  await image.getByText("Header").click();
  await expect(image.getByText("NIfTI-1, little-endian")).toBeVisible();
  await expect(image.getByText("left, front, top")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await expect(
    (await preview(page, "cut.nii")).getByText("The file is truncated: its first volume is incomplete."),
  ).toBeVisible();
  await expect((await preview(page, "not-an-image.nii")).getByText(/Not a NIfTI image/)).toBeVisible();
});
