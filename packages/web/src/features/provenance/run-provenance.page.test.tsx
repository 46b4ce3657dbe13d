import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { links } from "../../format/links.ts";
import { renderPart, type Asked } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import RunProvenance from "./run-provenance.tsx";

const STEPS = ["split", "sort", "count", "rank", "gather"];

/** A chain of steps that is wider than its box; the last one writes the table of the run. */
const LINEAGE: RunLineage = {
  ...{ run_id: "r", runs: [], links: [] },
  steps: STEPS.map((step) => ({
    ...{ step, label: null, tool: `${step} 1.0.0`, job_id: null },
    job_counts: { COMPLETE: 1 },
  })),
  files: STEPS.map((step) => ({ step, port: "out", files: 1, name: `${step}.csv` })),
  flows: STEPS.map((from, n) => {
    const to = STEPS[n + 1] ?? null;
    return { from, port: "out", to, output: to === null ? "table" : null, files: 1 };
  }),
};

test("the origin of a result is the selected, visible node of the graph, with this result below it", async () => {
  const asked: string[] = [];
  const at = links.originOf({ run: "r", output: "table", sample: "sub-1" });
  const { address } = await renderPart(<RunProvenance run={runRecord("r", { samples: ["sub-1"] })} />, {
    at,
    answers: {
      "GET /api/runs/{run_id}/lineage": () => LINEAGE,
      "GET /api/provenance/files": ({ query }: Asked) => {
        asked.push(query.toString());
        return { files: [], total: 0, next_page_token: "" };
      },
    },
  });
  const node = page.getByTitle(/output table of the run$/);
  await expect.element(node).toHaveAttribute("aria-pressed", "true");
  await expect.element(node).toBeInViewport();
  await expect.element(page.getByRole("heading", { name: "out of sub-1" })).toBeVisible();
  expect(asked).toEqual(["run=r&scope=job&direction=output&step=gather&port=out&sample=sub-1&page_size=50"]);
  await page.getByRole("button", { name: "Show all outputs" }).click();
  expect(address()).toBe("/prov?run=r&sample=sub-1");
});
