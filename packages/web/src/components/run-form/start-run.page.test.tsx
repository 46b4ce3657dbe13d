import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { StepRecord } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { inputRecord, listOf } from "../../testing/input-record.ts";
import { renderPart, SESSION } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import type { RunTarget } from "./run-target.ts";
import StartRun from "./start-run.tsx";

const STEP = { id: "each", scatter: ["x"], in: [{ id: "x", source: ["images"] }], out: [] } as unknown as StepRecord; // what scatters
const TARGET: RunTarget = {
  ...{ kind: "network", id: "cohort", version: null, digest: "d", outputs: [], examples: [], steps: [STEP] },
  inputs: [inputRecord("images", listOf("File"), { label: "Images" })],
};

test("the copy of a failed run names the samples that failed, and leads to their rows", async () => {
  const names = Array.from({ length: 30 }, (_, at) => `sub-${at + 1}`);
  const run = runRecord("r", {
    ...{ state: "EXECUTOR_ERROR", outcome: "failure", name: "Cohort of May", samples: names },
    inputs: { images: names.map((name) => ({ class: "File", location: `/data/${name}.nii` })) },
  });
  const jobs = [3, 28, 28].map((n) => ({ sample_id: `sub-${n}`, scatter_index: [n - 1] }) as unknown as JobSummary); // the part that is read
  await renderPart(<StartRun target={TARGET} />, {
    at: "/?from=r",
    answers: {
      "GET /api/session": () => SESSION,
      "GET /api/runs/{run_id}": () => run,
      "GET /api/runs/{run_id}/outputs": () => {
        return { run_id: "r", outputs: {}, partial: true, missing: [], missing_total: 0 };
      },
      "GET /api/runs/{run_id}/jobs": () => ({ jobs, total: 3, next_page_token: "" }),
    },
  });
  await expect.element(page.getByText("Copied from Cohort of May. Failed there: sub-3, sub-28.")).toBeVisible();
  const grid = page.getByRole("grid", { name: "Samples" });
  await expect.element(grid).toBeVisible();
  await page.getByRole("button", { name: "sub-28" }).click();
  await expect.element(grid.getByCss('[data-cell="27 1"][data-active]')).toBeVisible();
});
