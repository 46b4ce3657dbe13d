import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import { FileList } from "./file-list.tsx";

const FILE: FileOccurrence = {
  ...{
    run_id: "r",
    run_url: "/api/runs/r",
    run_name: "May",
    process: "cohort",
    job_id: null,
    step: null,
    sample_id: null,
  },
  ...{ tool: null, direction: "output", class: "File", port: "table", place: "", name: "measures.csv", size: 560 },
  ...{ checksum: "sha1$1", sha256: null, time: "2026-11-21T10:00:00.000Z", source_job_id: null, origin: null },
  ...{ url: "/api/runs/r/files/outputs/measures.csv", read_by_runs: 0 },
};

test("the name of a file opens its lineage, and another link the file itself", async () => {
  await renderPart(<FileList label="Files" search={{ q: "measures" }} noun="occurrence" empty="None" />, {
    answers: { "GET /api/provenance/files": () => ({ files: [FILE], total: 1, next_page_token: "" }) },
  });
  const name = page.getByRole("button", { name: "measures.csv" });
  await expect.element(name).toHaveAttribute("aria-expanded", "false");
  await name.click();
  await expect.element(page.getByRole("link", { name: "sha1$1" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Open file" })).toHaveAttribute("href", FILE.url ?? "");
});

test("a published file is one row with both places and both links", async () => {
  const written = {
    ...FILE,
    job_id: "gather-1",
    step: "gather",
    port: "csv",
    url: "/api/runs/r/jobs/gather-1/files/m.csv",
  };
  const files = [{ ...FILE, source_job_id: "gather-1" }, written];
  await renderPart(<FileList label="Files" search={{ q: "measures" }} noun="occurrence" empty="None" />, {
    answers: { "GET /api/provenance/files": () => ({ files, total: 2, next_page_token: "" }) },
  });
  await expect.element(page.getByRole("listitem")).toMatchTextContent(/output table, step gather/);
  await page.getByRole("button", { name: "measures.csv" }).click();
  await expect.element(page.getByText("output csv of job gather-1")).toBeVisible();
  const addresses = page.getByRole("link", { name: "File", exact: true }).elements();
  expect(addresses.map((link) => link.getAttribute("href"))).toEqual([FILE.url, written.url]);
  await expect.element(page.getByText("2 occurrences")).toBeVisible();
});
