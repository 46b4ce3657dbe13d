import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { FileLink } from "./file-link.tsx";
import { ValueView } from "./value-view.tsx";

test("a value names its files and fields, and folds a long list", async () => {
  const here = { class: "File", basename: "a.nii", location: "/api/runs/r/files/a.nii", size: 1024 } as const;
  const value = {
    image: here,
    away: { class: "File", location: "https://example.org/b.nii" },
    mask: null,
    shifts: [1, 2, 3, 4, 5, 6, 7],
  };
  await renderPart(<ValueView value={value} renderFile={(file) => <FileLink file={file} />} />);
  await expect.element(page.getByRole("link", { name: "a.nii" })).toHaveAttribute("href", here.location);
  await expect.element(page.getByText("1.0 KiB")).toBeVisible();
  await expect.element(page.getByText("b.nii")).toBeVisible();
  expect(page.getByRole("link").elements()).toHaveLength(1);
  await expect.element(page.getByText("mask: not set")).toBeVisible();
  expect(page.getByText("7", { exact: true }).elements()).toEqual([]);
  await page.getByRole("button", { name: "Show 2 more" }).click();
  await expect.element(page.getByText("7", { exact: true })).toBeVisible();
});
