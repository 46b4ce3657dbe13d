import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart, SESSION } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import RunInfo from "./run-info.tsx";

const MIB = 1024 ** 2;

test("a suggestion says what to request, and instead of how much", async () => {
  const used = { jobs: 6, p50: 50 * MIB, p95: 56 * MIB, max: 59 * MIB };
  const sizing = {
    ...{ jobs: 6, runs: 1, requested: { cores: 1, ram_bytes: 256 * MIB }, memory_sources: [], out_of_memory_jobs: 0 },
    used: { cores: null, time_ms: null, ram_bytes: used },
    suggestion: { cores_min: null, ram_min_mib: 80, text: "ramMin: 80", jobs: 6 },
  };
  const used_here = { cores: null, time_ms: null, ram_bytes: used };
  await renderPart(<RunInfo run={runRecord("r")} />, {
    answers: {
      "GET /api/session": () => SESSION,
      "GET /api/runs/{run_id}/sizing": () => ({
        run_id: "r",
        steps: [{ step: "measure", tool: null, used_here, sizing }],
      }),
    },
  });
  await expect.element(page.getByRole("row").nth(1)).toMatchTextContent(/Request 80 MiB instead of 256 MiB/);
  await expect.element(page.getByRole("button", { name: "Copy suggestion for measure" })).toBeVisible();
});
