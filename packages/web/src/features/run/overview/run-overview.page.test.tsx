import type { Job } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { RunResults as Results } from "@weft/shared/records/result-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart, type Asked } from "../../../testing/render-part.tsx";
import { runRecord } from "../../../testing/run-record.ts";
import { FailureCard } from "../failures/failure-card.tsx";
import { RunSummary } from "../header/run-header.tsx";
import { RunResults, useFirstResults } from "./run-results.tsx";
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

test("a failed run counts samples that were stopped, or whose next steps never started, as neither succeeded nor failed", async () => {
  const names = ["sub-1", "sub-2", "sub-3", "sub-4", "sub-5", "sub-6"];
  const states = ["CC", "CC", "E.", "CX", "CC", "C."];
  const missing = ["sub-3", "sub-4", "sub-6"].map((sample_id) => {
    return { output: "masks", step: "mask", index: [0], sample_id, job_id: null, state: null };
  });
  const run = failedRun({ samples: names, job_counts: { COMPLETE: 8, EXECUTOR_ERROR: 1 } });
  const samples = names.map((sample_id, index) => ({ sample_id, index, states: states[index] ?? "" }));
  await renderPart(<FailureCard run={run} />, {
    answers: {
      "GET /api/runs/{run_id}/jobs": () => ({ jobs: [FAILED_JOB], total: 1, next_page_token: "" }),
      "GET /api/runs/{run_id}/jobs/{job_id}": () => FAILED_JOB,
      "GET /api/runs/{run_id}/samples": () => {
        return { run_id: "r", steps: ["smooth", "mask"], samples, total: 6, next_page_token: "" };
      },
      "GET /api/runs/{run_id}/outputs": () => {
        return { run_id: "r", outputs: {}, partial: true, missing, missing_total: 3 };
      },
    },
  });
  await expect.element(page.getByText(/^3 of 6 samples succeeded, 1 failed, 2 stopped before the end\./)).toBeVisible();
});

test("a step whose jobs were aborted, reused or never started shows no time and memory of other runs", async () => {
  const step = (name: string, job_counts: Run["job_counts"], jobs_cached = 0) => {
    return { step: name, jobs_total: 2, jobs_total_is_final: true, jobs_cached, job_counts };
  };
  const idle = [step("sleep", { CANCELED: 2 }), step("copy", { COMPLETE: 2 }, 2), step("join", {})];
  const steps = [...idle, step("own", { COMPLETE: 2 })];
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
  await expect.element(row("own")).toMatchTextContent(/3(\.0)? s1(\.0)? MiB$/);
  await expect.element(page.getByTitle("Peak of 2 jobs of this run; 16 MiB requested")).toBeVisible();
  for (const { step: name } of idle) await expect.element(row(name)).not.toMatchTextContent(/10 s|MiB/);
});

test("a step that is complete has no time left, whatever an older forecast says", async () => {
  const step = (name: string, COMPLETE: number): Run["step_counts"][number] => {
    return { step: name, jobs_total: 300, jobs_total_is_final: true, jobs_cached: 0, job_counts: { COMPLETE } };
  };
  const run = runRecord("r", { state: "RUNNING", end_time: null, step_counts: [step("split", 300), step("sort", 58)] });
  const unknown = { jobs_of_run: 0, jobs_before: 0, left: null };
  await renderPart(<StepTable run={run} />, {
    answers: {
      "GET /api/runs/{run_id}/forecast": () => ({
        ...{ run_id: "r", as_of: "2026-11-21T10:00:00.000Z", runs_before: 0, left: null, unknown: "" },
        steps: ["split", "sort"].map((name) => Object.assign({ step: name }, unknown)) as never,
      }),
    },
  });
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect.element(row("sort")).toMatchTextContent(/58 of 300unknown$/);
  await expect.element(row("split")).toMatchTextContent(/300 of 300none$/);
});

function Shown({ run }: { readonly run: Run }) {
  return <RunResults {...useFirstResults(run)} />;
}

/** A report, and for each sample a picture and a number. */
function resultsOf(samples: number, from: number, size: number): Results {
  const columns: Results["columns"] = [
    { output: "notes", label: "Notes", by: "run", rows: 1 },
    { output: "pictures", label: "Slices", by: "sample", rows: samples },
    { output: "thresholds_used", label: "Thresholds used", by: "sample", rows: samples },
  ];
  const rowOf = (number: number): Results["rows"][number] => {
    const notes = { class: "File", basename: "notes.md", size: 9 };
    if (number === 0) return { sample_id: null, index: null, cells: [{ output: "notes", value: notes }] };
    const picture = { class: "File", basename: `${number}.png`, size: 1024 };
    const cells = [
      { output: "pictures", index: number - 1, value: picture },
      { output: "thresholds_used", index: number - 1, value: 77.79769377224147 + number },
    ];
    return { sample_id: `sub-${number}`, index: number - 1, cells };
  };
  const rows = Array.from({ length: Math.min(size, samples + 1 - from) }, (_, at) => rowOf(from + at));
  return { run_id: "r", partial: false, columns, rows, from, total: samples + 1 };
}

test.each([1, 300, 10_000])(
  "the overview shows the first results of %i samples with a single request",
  async (samples) => {
    const asked: string[] = [];
    await renderPart(<Shown run={runRecord("r", { samples: ["sub-1"] })} />, {
      answers: {
        "GET /api/runs/{run_id}/results": ({ query }: Asked) => {
          asked.push(query.get("from") ?? "");
          return resultsOf(samples, Number(query.get("from")), Number(query.get("page_size")));
        },
      },
    });
    const slices = page.getByRole("region", { name: "Slices" });
    await expect.element(slices.getByRole("link", { name: "sub-1", exact: true })).toBeVisible();
    expect(slices.getByRole("listitem").elements()).toHaveLength(Math.min(6, samples));
    // Labels instead of ids, short numbers with the whole one as title.
    await expect.element(page.getByText("78.798")).toHaveAttribute("title", "sub-1: 78.79769377224147");
    await expect.element(page.getByText("notes.md")).toBeVisible();
    await expect.element(page.getByRole("link", { name: "Review 1 sample" })).toBeVisible();
    expect(asked).toEqual(["0"]);
    expect(document.querySelectorAll("*").length).toBeLessThan(400);
    if (samples > 6)
      await expect
        .element(slices.getByRole("link", { name: /^Open all / }))
        .toHaveAttribute("href", "/?tab=outputs&output=pictures");
  },
);

test.each([1, 5, 6, 300])("the overview says which part of a table of %i rows it shows", async (rows) => {
  const value = { class: "File", basename: "measures.csv", location: "/api/runs/r/files/measures.csv", size: 99 };
  const results: Results = {
    ...{ run_id: "r", partial: false, from: 0, total: 1 },
    columns: [{ output: "table", label: "Subject table", by: "run", rows: 1 }],
    rows: [{ sample_id: null, index: null, cells: [{ output: "table", value }] }],
  };
  const lines = ["subject,volume", ...Array.from({ length: rows }, (_, n) => `sub-${n + 1},${n}`)];
  await renderPart(<Shown run={runRecord("r")} />, {
    answers: {
      "GET /api/runs/{run_id}/results": () => results,
      "GET /api/runs/{run_id}/files/{path}": () => new Response(`${lines.join("\n")}\n`),
    },
  });
  const section = page.getByRole("region", { name: "Subject table" });
  await expect.element(section.getByText("sub-1", { exact: true })).toBeVisible();
  const link = section.getByRole("link", { name: "Open the table" });
  if (rows <= 5) return expect(link.elements()).toEqual([]);
  await expect.element(section.getByText(/^First 5 rows\./)).toBeVisible();
  await expect.element(link).toHaveAttribute("href", "/?tab=outputs&open=0.table");
});

test("reserves space for the results of an open run", async () => {
  await renderPart(<Shown run={runRecord("r", { state: "RUNNING", outcome: null, end_time: null, outputs: null })} />);
  await expect.element(page.getByText("Results appear here when the run finishes.")).toBeVisible();
});

const WAITING = { code: "WAITING", message: "all 7 open jobs are waiting", hint: "each job says what it waits for" };
for (const message of ["waiting for 1 core (0.9 free now)", "its run is paused", "Slurm job 1_0 waits"])
  test(`a run without running jobs says that its first job is ${message}`, async () => {
    const waiting = { ...FAILED_JOB, state: "QUEUED", state_reason: { code: "WAITING", message } } as unknown as Job; // as above
    const run = runRecord("r", { state: "RUNNING", outcome: null, end_time: null, state_reason: WAITING as never });
    await renderPart(<RunSummary run={run} />, {
      answers: {
        "GET /api/runs/{run_id}/jobs": () => ({ jobs: [waiting], total: 7, next_page_token: "" }),
        "GET /api/runs/{run_id}/forecast": () => ({
          ...{ run_id: "r", as_of: "2026-11-21T10:00:00.000Z", runs_before: 1, steps: [] },
          ...{ left: null, unknown: "Its jobs wait for jobs of other runs." },
        }),
      },
    });
    const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}. View job`;
    await expect.element(page.getByText(text)).toBeVisible();
    await expect.element(page.getByText("Time left unknown")).toBeInTheDocument();
  });

test("the counts of an ended run say how many of its jobs never ran", async () => {
  const progress = { ...runRecord("r").progress, jobs_total: 12, jobs_done: 8, jobs_cached: 5 };
  const job_counts = { COMPLETE: 6, EXECUTOR_ERROR: 1, CANCELED: 1 };
  await renderPart(<RunSummary run={failedRun({ progress, job_counts })} />);
  await expect.element(page.getByText("4 not run")).toBeVisible();
});
