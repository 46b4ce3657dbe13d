import type { ResultRow, RunResults } from "@weft/shared/records/result-record.ts";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart, textsOf, type Asked } from "../../../testing/render-part.tsx";
import { ResultGallery } from "./result-gallery.tsx";
import { placesOf, type ResultPlace } from "./result-places.ts";
import { Thumbnail } from "./result-tile.tsx";

const SAMPLES = 300;

function row(n: number): ResultRow {
  const missing = { step: "look", job_id: "look.1", state: "EXECUTOR_ERROR" } as const;
  const site = n === 1 ? { value: null, missing } : { value: "north" };
  const cells = [
    { output: "volume", index: n, value: n / 2 },
    { output: "site", index: n, ...site },
  ];
  return { sample_id: `sub-${n}`, index: n, cells };
}

function results(from: number, count: number): RunResults {
  return {
    run_id: "r",
    partial: true,
    columns: [
      { output: "volume", by: "sample", rows: SAMPLES },
      { output: "site", by: "sample", rows: SAMPLES },
    ],
    rows: Array.from({ length: count }, (_, n) => row(from + n)),
    from,
    total: SAMPLES,
  };
}

function Gallery({ isList }: { readonly isList: boolean }) {
  const [viewed, setViewed] = useState<ResultPlace | undefined>(undefined);
  const [closings, setClosings] = useState(0);
  const first = results(0, 50);
  return (
    <>
      <ResultGallery
        runId="r"
        results={first}
        places={placesOf(first.columns, first.total)}
        text=""
        isList={isList}
        isThere
        viewed={viewed}
        onOpen={setViewed}
        closings={closings}
      />
      <output aria-label="Opened">{viewed && `${viewed.row} ${viewed.output}`}</output>
      <button type="button" onClick={() => setClosings((count) => count + 1)}>
        Close the viewer
      </button>
    </>
  );
}

async function showGallery({ isList = false } = {}) {
  const answers = {
    "GET /api/runs/{run_id}/results": ({ query }: Asked) => {
      const from = Number(query.get("page_token") ?? query.get("skip") ?? query.get("from") ?? 0);
      return results(from, Math.min(50, SAMPLES - from));
    },
  };
  await renderPart(<Gallery isList={isList} />, { answers });
  await expect.element(cell(0, 0)).toBeInTheDocument();
  return page.getByRole("grid").first();
}

const cell = (row: number, column: number) => page.getByCss(`[data-cell="${row}.${column}"]`);

test("results are a grid of samples and outputs, in which missing results have a reason", async () => {
  const grid = await showGallery();
  await expect.element(grid).toHaveAttribute("aria-rowcount", String(SAMPLES + 1));
  expect(textsOf(grid.getByRole("columnheader"))).toEqual(["Sample", "volume", "site"]);
  await expect.element(cell(1, 0)).toMatchTextContent(/0\.5/);
  await expect.element(cell(1, 1)).toMatchTextContent(/Failed/);
  expect(document.querySelectorAll("[data-cell]").length).toBeLessThan(100);
});

test("arrow keys move through the results, Enter opens one, and closing it returns the focus", async () => {
  await showGallery();
  (cell(0, 0).element() as HTMLElement).focus(); // cells are divs
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}");
  await expect.element(cell(2, 1)).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByLabelText("Opened")).toHaveTextContent("2 site");
  await page.getByRole("button", { name: "Close the viewer" }).click();
  await expect.element(cell(2, 1)).toHaveFocus();
});

test("as a list, every result has one line", async () => {
  const grid = await showGallery({ isList: true });
  await expect.element(cell(4, 0)).toMatchTextContent(/2/);
  expect(grid.getByRole("row").elements()[1]?.getBoundingClientRect().height ?? 0).toBeLessThanOrEqual(40);
});

test("a picture has no bars of another color at its sides", async () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"/>';
  await renderPart(
    <div style={{ width: 160, height: 160 }}>
      <Thumbnail
        url={`data:image/svg+xml,${encodeURIComponent(picture)}`}
        name="a.png"
        sizeBytes={9}
        isScrolling={false}
      />
    </div>,
  );
  const size = () => {
    const { width, height } = page.getByCss("img").element().getBoundingClientRect();
    return [width, height];
  };
  await expect.poll(size).toEqual([160, 80]);
});
