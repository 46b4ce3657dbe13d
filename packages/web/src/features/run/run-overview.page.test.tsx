import type { Job } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import { FailureCard } from "./failure-card.tsx";
import { StepTable } from "./step-table.tsx";

const NOTHING_USED = { cores: null, ram_bytes: null, time_ms: null };

const FAILED_JOB = {
  ...{ job_id: "smooth.2", run_id: "r", url: "", step: "smooth", sample_id: "sub-3", scatter_index: [2] },
  ...{ state: "EXECUTOR_ERROR", phase: "ended", attempt: 1, exit_code: 1, signal: null, cached: false },
  ...{ state_reason: { code: "TOOL_EXIT", message: "The program ended with exit code 1" }, stderr_tail: "bad image" },
} as unknown as Job; // the fields that the card shows

function failedRun(change: Partial<Run>): Run {
  return runRecord("r", { state: "EXECUTOR_ERROR", outcome: "failure", partial: true, outputs: null, ...change });
}

test("a failed run counts samples that were stopped, or whose next steps never started, as neither complete nor failed", async () => {
  const names = ["sub-1", "sub-2", "sub-3", "sub-4", "sub-5", "sub-6"];
  const states = ["CC", "CC", "E.", "CX", "CC", "C."];
  const missing = ["sub-3", "sub-4", "sub-6"].map((sample_id) => {
    return { output: "masks", step: "mask", index: [0], sample_id, job_id: null, state: null };
  });
  await renderPart(
    <FailureCard run={failedRun({ samples: names, job_counts: { COMPLETE: 8, EXECUTOR_ERROR: 1 } })} />,
    {
      answers: {
        "GET /api/runs/{run_id}/jobs": () => ({ jobs: [FAILED_JOB], total: 1, next_page_token: "" }),
        "GET /api/runs/{run_id}/jobs/{job_id}": () => FAILED_JOB,
        "GET /api/runs/{run_id}/samples": () => ({
          ...{ run_id: "r", steps: ["smooth", "mask"], total: 6, next_page_token: "" },
          samples: names.map((sample_id, index) => ({ sample_id, index, states: states[index] ?? "" })),
        }),
        "GET /api/runs/{run_id}/outputs": () => ({
          ...{ run_id: "r", outputs: {}, partial: true, missing, missing_total: 3 },
        }),
      },
    },
  );
  await expect.element(page.getByText(/^3 of 6 samples complete, 1 failed, 2 stopped before the end\./)).toBeVisible();
});

test("a step whose jobs were aborted, reused or never started shows no time and memory of other runs", async () => {
  const step = (name: string, job_counts: Run["job_counts"], jobs_cached = 0) => {
    return { step: name, jobs_total: 2, jobs_total_is_final: true, jobs_cached, job_counts };
  };
  const steps = [
    step("sleep", { CANCELED: 2 }),
    step("copy", { COMPLETE: 2 }, 2),
    step("join", {}),
    step("own", { COMPLETE: 2 }),
  ];
  const distribution = (value: number) => ({ jobs: 2, p50: value, p95: value, max: value });
  const others = { ...NOTHING_USED, ram_bytes: distribution(15 * 1024 ** 2), time_ms: distribution(10_000) };
  const own = { ...NOTHING_USED, ram_bytes: distribution(1024 ** 2), time_ms: distribution(3000) };
  const sizing = {
    ...{ jobs: 9, runs: 2, requested: { cores: 1, ram_bytes: 16 * 1024 ** 2 }, used: others },
    ...{ memory_sources: [], out_of_memory_jobs: 0, suggestion: null },
  };
  await renderPart(<StepTable run={failedRun({ step_counts: steps })} />, {
    answers: {
      "GET /api/runs/{run_id}/sizing": () => ({
        run_id: "r",
        steps: steps.map(({ step: name }) => {
          const used_here = name === "own" ? own : NOTHING_USED;
          return { step: name, tool: null, used_here, sizing };
        }),
      }),
    },
  });
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect.element(row("own")).toMatchTextContent(/3(\.0)? s1(\.0)? MiB of 16 MiB$/);
  for (const name of ["sleep", "copy", "join"]) await expect.element(row(name)).not.toMatchTextContent(/10 s|MiB/);
});
