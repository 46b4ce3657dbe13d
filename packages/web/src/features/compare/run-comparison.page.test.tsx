import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import RunComparison from "./run-comparison.tsx";

const file = (name: string, checksum: string) => ({ class: "File", basename: name, location: `/${name}`, checksum });

test("a failed run is compared by the outputs that its page offers", async () => {
  const whole = runRecord("whole", { outputs: { masks: [file("1.nii", "sha1$1"), file("2.nii", "sha1$2")] } });
  const failed = runRecord("failed", { state: "EXECUTOR_ERROR", outcome: "failure", partial: true, outputs: null });
  const used = {
    ...{ duration_ms: 1, attempts: 0, jobs_cached: 0, running_ms: 0, cpu_ms: null, cpu_measured: 0 },
    ...{ max_rss_bytes: null, memory_measured: 0, memory_sources: [], steps: [] },
  };
  await renderPart(<RunComparison runIds={["whole", "failed"]} />, {
    answers: {
      "GET /api/runs/{run_id}": ({ params }) => (params["run_id"] === "whole" ? whole : failed),
      "GET /api/runs/{run_id}/outputs": () => ({
        ...{ run_id: "failed", outputs: { masks: [file("x.nii", "sha1$1"), null] } },
        ...{ partial: true, missing: [], missing_total: 1 },
      }),
      "GET /api/runs/{run_id}/comparison": () => ({
        ...{ run_id: "whole", with: "failed", result: "different", sentence: "1 of 2 outputs differ." },
        ...{ same_document: true, inputs_compared: 0, outputs_compared: 2, inputs: [], surroundings: [] },
        outputs: [{ name: "masks[1]", result: "different", detail: "only the first has it" }],
        ...{ first_difference: null, used: { first: used, second: used } },
      }),
      "GET /api/runs/{run_id}/results": () => ({
        ...{ run_id: "whole", partial: false, columns: [], rows: [], from: 0, total: 0 },
      }),
    },
  });
  const outputs = page.getByRole("table", { name: "Outputs", exact: true });
  await expect
    .element(outputs.getByRole("row").nth(1))
    .toMatchTextContent(/^masks\[1\]2\.nii.*none.*only the first has it/);
  expect(outputs.getByRole("row").elements()).toHaveLength(2);
});
