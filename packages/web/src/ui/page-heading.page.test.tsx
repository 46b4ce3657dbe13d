import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { Route, Routes } from "react-router-dom";
import { renderPart } from "../testing/render-part.tsx";
import { PageHeading } from "./page-heading.tsx";

const RUNS = [{ label: "Runs", to: "/runs" }];

test("the heading of a page takes the focus after navigation, and names the window", async () => {
  await renderPart(
    <Routes>
      <Route path="/run" element={<PageHeading title="Night" documentTitle="Night - Runs" crumbs={RUNS} />} />
      <Route path="/runs" element={<PageHeading title="Runs" actions={<button>New</button>} />} />
    </Routes>,
    { at: "/run" },
  );
  await expect.element(page.getByRole("heading", { level: 1, name: "Night" })).toBeVisible();
  expect(document.title).toBe("Night - Runs - Weft");
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Runs" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Runs" })).toHaveFocus();
  expect(document.title).toBe("Runs - Weft");
});
