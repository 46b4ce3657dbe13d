import type { RunComparison as RunComparisonRecord } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type Answers, renderPart } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import RunComparison from "./run-comparison.tsx";

const file = (name: string, checksum: string) => ({ class: "File", basename: name, location: `/${name}`, checksum });

const USED = {
  ...{ duration_ms: 1, attempts: 0, jobs_cached: 0, running_ms: 0, cpu_ms: null, cpu_measured: 0 },
  ...{ max_rss_bytes: null, memory_measured: 0, memory_sources: [], steps: [] },
};

/** The server's comparison of `whole` with another run. */
function comparison(change: Partial<RunComparisonRecord> = {}): RunComparisonRecord {
  return {
    ...{ run_id: "whole", with: "other", result: "different", sentence: "1 of 2 outputs differ." },
    ...{ same_document: true, inputs_compared: 0, outputs_compared: 2, inputs: [], surroundings: [], outputs: [] },
    ...{ first_difference: null, used: { first: USED, second: USED } },
    ...change,
  };
}

interface Compared {
  readonly runs: readonly Run[];
  readonly found?: Partial<RunComparisonRecord>;
  readonly more?: Answers;
}

/** The page of a comparison; `runs` may be fewer than `ids` if an id occurs several times. */
function compare({ runs, found, more }: Compared, ids = runs.map(({ run_id: id }) => id)) {
  return renderPart(<RunComparison runIds={ids} />, {
    answers: {
      "GET /api/runs/{run_id}": ({ params }) =>
        runs.find(({ run_id: id }) => id === params["run_id"]) ?? new Response(null, { status: 404 }),
      "GET /api/runs/{run_id}/comparison": () => comparison(found),
      "GET /api/runs/{run_id}/results": () => ({
        ...{ run_id: "whole", partial: false, columns: [], rows: [], from: 0, total: 0 },
      }),
      ...more,
    },
  });
}

const table = (name: string) => page.getByRole("table", { name, exact: true });

test("a failed run is compared by the outputs that its page offers", async () => {
  const whole = runRecord("whole", { outputs: { masks: [file("1.nii", "sha1$1"), file("2.nii", "sha1$2")] } });
  const failed = runRecord("failed", { state: "EXECUTOR_ERROR", outcome: "failure", partial: true, outputs: null });
  await compare({
    runs: [whole, failed],
    found: { outputs: [{ name: "masks[1]", result: "different", detail: "only the first has it" }] },
    more: {
      "GET /api/runs/{run_id}/outputs": () => ({
        ...{ run_id: "failed", outputs: { masks: [file("x.nii", "sha1$1"), null] } },
        ...{ partial: true, missing: [], missing_total: 1 },
      }),
    },
  });
  const outputs = table("Outputs");
  await expect.element(outputs.getByRole("row").nth(1)).toMatchTextContent(/^masks\[1\]2\.nii.*none.*only in A/);
  expect(outputs.getByRole("row").elements()).toHaveLength(2);
});

test("different inputs are listed first, and equal ones are one line until expanded", async () => {
  await compare({
    runs: [
      runRecord("whole", { inputs: { top: 3, texts: ["a"] }, outputs: { sizes: file("3.txt", "sha1$1") } }),
      runRecord("other", { inputs: { top: 5, texts: ["a"] }, outputs: { sizes: file("3.txt", "sha1$2") } }),
    ],
  });
  const inputs = table("Inputs").getByRole("row");
  await expect.element(inputs.nth(1)).toHaveTextContent("top35+66.7%differs");
  expect(inputs.elements()).toHaveLength(2);
  await expect.element(table("Outputs")).toMatchTextContent(/sizes/);
  expect(page.getByText("texts[0]").elements()).toEqual([]);
  await page.getByText(/^Identical: .*1 input/).click();
  await expect.element(table("Identical in all runs")).toMatchTextContent(/texts\[0\]/);
});

test("an input that only one of the runs was given is not set in the other", async () => {
  await compare({ runs: [runRecord("whole", { inputs: { fwhm_mm: 3 } }), runRecord("other", { inputs: {} })] });
  await expect.element(table("Inputs").getByRole("row").nth(1)).toHaveTextContent("fwhm_mm3not setonly in A");
});

test("an input file that was replaced between two runs is listed, with the difference that the server found", async () => {
  const inputs = { images: ["1.nii", "2.nii"].map((name) => ({ class: "File", location: `/data/${name}` })) };
  await compare({
    runs: [runRecord("whole", { inputs }), runRecord("other", { inputs })],
    found: { inputs: [{ name: "images[1]", result: "different", detail: "45502 and 7 bytes" }] },
  });
  const rows = table("Inputs").getByRole("row");
  await expect.element(rows.nth(1)).toHaveTextContent("images[1]2.nii2.niidiffers45502 and 7 bytes");
  expect(rows.elements()).toHaveLength(2);
  await expect.element(page.getByText(/^Identical: .*\b1 input/)).toBeVisible();
});

test("very large outputs are not read into the page: the server names the different ones", async () => {
  const omitted = { outputs_bytes: 50e6, url: "" };
  const whole: string[] = [];
  const runs = [3, 5].map((top, n) =>
    runRecord(n === 0 ? "whole" : "other", { inputs: { top }, outputs: null, omitted }),
  );
  await compare({
    runs,
    found: { outputs: [{ name: "top_words", result: "different", detail: null }] },
    more: {
      "GET /api/runs/{run_id}": ({ params, query }) => {
        if (query.has("view")) whole.push(query.toString());
        return runs.find(({ run_id: id }) => id === params["run_id"]) ?? new Response(null, { status: 404 });
      },
    },
  });
  await expect.element(page.getByText(/^Outputs: too large to show side by side/)).toBeVisible();
  await expect.element(table("Outputs").getByRole("row").nth(1)).toMatchTextContent(/top_words.*different/);
  await expect.element(table("Inputs")).toMatchTextContent(/\+66\.7%/);
  expect(whole).toEqual([]);
});

test("a comparison of more than four runs says how many it shows", async () => {
  await compare({ runs: [runRecord("whole")] }, ["whole", "whole", "whole", "whole", "whole"]);
  await expect.element(page.getByText("Showing the first 4 of 5 runs.")).toBeVisible();
  await expect.element(page.getByText("No differences.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Use D as baseline" })).toBeVisible();
  expect(page.getByRole("link", { name: "Add a run…" }).elements()).toEqual([]);
});
