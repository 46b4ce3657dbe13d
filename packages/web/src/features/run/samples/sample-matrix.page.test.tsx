import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart, SESSION } from "../../../testing/render-part.tsx";
import { runRecord } from "../../../testing/run-record.ts";
import SampleMatrix from "./sample-matrix.tsx";

const NAMES = ["sub-1", "sub-2", "sub-3"];
const RUN = runRecord("r", { state: "COMPLETE", outcome: "success", samples: NAMES });

test("selected samples that the filter hides are counted, because actions apply to them", async () => {
  const samples = NAMES.map((sample_id, index) => ({ sample_id, index, states: "C" }));
  await renderPart(<SampleMatrix run={RUN} />, {
    at: "/run/r?tab=samples",
    answers: {
      "GET /api/session": () => SESSION,
      "GET /api/runs/{run_id}/samples": () => ({
        run_id: "r",
        steps: ["each"],
        samples,
        total: 3,
        next_page_token: "",
      }),
    },
  });
  await page.getByRole("button", { name: "Select all" }).click();
  await expect.element(page.getByText("3 of 3 samples selected", { exact: true })).toBeVisible();
  await page.getByRole("searchbox", { name: "Find samples" }).fill("sub-2");
  await expect.element(page.getByText("3 of 3 samples selected, 2 not shown")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Retry 3 samples" })).toBeVisible();
});
