import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { fileOccurrence } from "../../testing/file-occurrence.ts";
import { renderPart } from "../../testing/render-part.tsx";
import { FileList } from "./file-list.tsx";

const FILE = fileOccurrence({ job_id: null, step: null, port: "table", name: "measures.csv", url: "/published" });

function showFiles(...files: readonly FileOccurrence[]) {
  return renderPart(<FileList label="Files" search={{ q: "measures" }} noun="occurrence" empty="None" />, {
    answers: {
      "GET /api/provenance/files": () => ({ files: [...files], total: files.length, next_page_token: "" }),
    },
  });
}

test("the name of a file opens its lineage, and another link the file itself", async () => {
  await showFiles(FILE);
  const name = page.getByRole("button", { name: "measures.csv" });
  await expect.element(name).toHaveAttribute("aria-expanded", "false");
  await name.click();
  await expect.element(page.getByRole("link", { name: "sha1$aa" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Open file" })).toHaveAttribute("href", FILE.url ?? "");
});

test("a published file is one row with both places and both links", async () => {
  const written = { ...FILE, job_id: "gather-1", step: "gather", port: "csv", url: "/written" };
  await showFiles({ ...FILE, source_job_id: "gather-1" }, written);
  await expect.element(page.getByRole("listitem")).toMatchTextContent(/output table, step gather/);
  await page.getByRole("button", { name: "measures.csv" }).click();
  await expect.element(page.getByText("output csv of job gather-1")).toBeVisible();
  const addresses = page.getByRole("link", { name: "File", exact: true }).elements();
  expect(addresses.map((link) => link.getAttribute("href"))).toEqual([FILE.url, written.url]);
  await expect.element(page.getByText("2 occurrences")).toBeVisible();
});
