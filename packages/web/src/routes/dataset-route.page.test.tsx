import type { DatasetDetail } from "@weft/shared/records/dataset-record.ts";
import { Link } from "react-router-dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import DatasetRoute from "./dataset-route.tsx";

const FOLDER: DatasetDetail = {
  location: "vfs://data/reads",
  name: "reads",
  title: null,
  kind: "files",
  bids_version: null,
  dataset_type: null,
  subjects: 0,
  sessions: 0,
  files: 0,
  fields: [],
  problems: [],
  problems_total: 0,
};

test("the field of a pattern follows a link to another pattern", async () => {
  const screen = await renderPart(
    <>
      <DatasetRoute />
      <Link to="?location=vfs://data/reads&pattern=b&tab=problems">Other</Link>
    </>,
    {
      at: "/dataset?location=vfs://data/reads&pattern=a&tab=problems",
      answers: {
        "GET /api/session": () => new Response(null, { status: 404 }),
        "GET /api/datasets/detail": () => FOLDER,
      },
    },
  );
  const field = page.getByRole("textbox", { name: /^Pattern of file names/ });
  await expect.element(field).toHaveValue("a");
  await page.getByRole("link", { name: "Other" }).click();
  await expect.element(field).toHaveValue("b");
  expect(screen.address()).toContain("pattern=b");
});
