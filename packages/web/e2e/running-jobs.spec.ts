import { join } from "node:path";
import { expect } from "@playwright/test";
import { newFolder, writeFiles } from "./own-server.ts";
import { startRun, waitForEnd } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";

const JOBS = 12;
/** Jobs that run until their gates exist. */
const GATES = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {}, ResourceRequirement: { coresMin: 0.1, ramMin: 16 } },
  inputs: { gates: "string[]" },
  outputs: [],
  steps: {
    wait: {
      run: {
        class: "CommandLineTool",
        baseCommand: ["sh", "-c", 'until [ -e "$1" ]; do sleep 0.3; done', "wait"],
        inputs: { gate: { type: "string", inputBinding: {} } },
        outputs: [],
      },
      scatter: "gate",
      in: { gate: "gates" },
      out: [],
    },
  },
};

test("exit codes, the Running filter and the counts tell the truth, while jobs run and after an abort", async ({
  page,
  ownServer,
}) => {
  const catalog = await newFolder({ "networks/gates/gates.cwl": GATES });
  const { url } = await ownServer({ catalog });
  const gates = Array.from({ length: JOBS }, (_, index) => join(catalog, `gate-${index}`));
  const { run_id: runId } = await startRun(page.request, { network: "gates", inputs: { gates } }, url);
  await page.goto(`${url}/run/${runId}?tab=jobs&state=RUNNING`);
  const rows = page.getByRole("table", { name: "Jobs of the run" }).locator("tbody tr:has(button)");
  await rows.filter({ hasText: "wait" }).first().getByRole("button", { name: /wait/ }).click();
  const exitCode = page.getByRole("dialog").locator("dt:text-is('Exit code') + dd");
  await expect(exitCode).toHaveText("not yet");
  await page.keyboard.press("Escape");

  // Jobs that have succeeded leave the list of running jobs.
  await writeFiles(catalog, { "gate-0": "", "gate-1": "", "gate-2": "" });
  await expect(rows).toHaveCount(JOBS - 3);
  await expect(rows.filter({ hasText: "Running" })).toHaveCount(JOBS - 3);

  await page.goto(`${url}/run/${runId}`);
  await page.request.delete(`${url}/api/runs/${runId}`);
  await expect(page.locator("[data-state=CANCELED]").first()).toBeVisible({ timeout: 30_000 });
  const summary = page.getByText(/^\d+\+? jobs$/).locator("..");
  await expect(summary).not.toContainText(/running|waiting/i);
  const { progress, job_counts: counts } = await waitForEnd(page.request, runId, url);
  expect(progress.jobs_done).toBeLessThan(progress.jobs_total);
  await expect(summary).toHaveText(
    new RegExp(`${progress.jobs_total} jobs.*${counts.COMPLETE} succeeded.*${counts.CANCELED} aborted`),
  );
});
