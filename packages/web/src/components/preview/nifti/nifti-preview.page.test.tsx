import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../../testing/render-part.tsx";
import NiftiPreview from "./nifti-preview.tsx";
import { makeNifti } from "./testing/make-nifti.ts";

const SIZE = [4, 5, 6];
const VALUES = Array.from({ length: 120 }, (_, n) => n);
const AXES = [0, 1, 2].map((axis) => [0, 1, 2, 3].map((column) => (column === axis ? 1 : 0)));

const FILES: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "brain.nii": makeNifti({ size: SIZE, sform: AXES, values: VALUES }),
  "mask.nii": makeNifti({ size: SIZE, sform: AXES, values: VALUES }),
  "broken.nii": new Uint8Array(400),
};

function showBrain() {
  const companions = ["mask.nii", "broken.nii"].map((name) => {
    return { url: `/api/runs/r/files/${name}`, name, label: "Other", sizeBytes: 500 };
  });
  return renderPart(<NiftiPreview url="/api/runs/r/files/brain.nii" name="brain.nii" companions={companions} />, {
    answers: { "GET /api/runs/{run_id}/files/{path}": ({ params }) => new Response(FILES[params["path"] ?? ""]) },
  });
}

test("an image has three planes and its header, and a second image moves with it", async () => {
  await showBrain();
  for (const plane of [/^Axial slice \d of 6/, /^Coronal slice \d of 5/, /^Sagittal slice \d of 4/])
    await expect.element(page.getByRole("img", { name: plane })).toBeVisible();
  await page.getByRole("combobox", { name: "Side by side" }).selectOptions("Other: mask.nii");
  const second = page.getByRole("region", { name: "mask.nii" });
  await expect.element(second.getByRole("img", { name: /^Axial slice \d of 6 of mask\.nii/ })).toBeVisible();
  await page.getByText("Header").click();
  await expect.element(page.getByText(/4 × 5 × 6/).first()).toBeVisible();
});

test("an overlay has an opacity, and one that is broken is not shown", async () => {
  await showBrain();
  const overlay = page.getByRole("combobox", { name: "Overlay" });
  await overlay.selectOptions("Other: mask.nii");
  await expect.element(page.getByRole("slider", { name: /^Opacity/ })).toHaveAttribute("aria-valuetext", "50%");
  await overlay.selectOptions("Other: broken.nii");
  await expect.element(page.getByText("broken.nii cannot be displayed.")).toBeVisible();
});
