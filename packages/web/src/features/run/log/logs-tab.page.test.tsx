import type { Job, JobList } from "@weft/shared/records/job-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { jobSummary } from "../../../testing/job-summary.ts";
import { type Asked, renderPart } from "../../../testing/render-part.tsx";
import { runRecord } from "../../../testing/run-record.ts";
import LogsTab from "./logs-tab.tsx";

const JOBS = [0, 1, 2].map(jobSummary);

/** Finds jobs by a part of their id and by state, as the server does. */
function answerJobs({ query }: Asked): JobList {
  const [text, wanted] = [query.get("q") ?? "", query.get("state")];
  const jobs = JOBS.filter(({ job_id: id, state }) => id.includes(text) && (wanted === null || wanted === state));
  return { jobs, total: jobs.length, next_page_token: "" };
}

function jobRecord(id: string | undefined): Job {
  const summary = JOBS.find((one) => one.job_id === id) ?? jobSummary(0);
  return {
    ...{ ...summary, tool: { id: "measure", version: "1.0.0", class: "CommandLineTool" } },
    ...{ attempts: [], command: null, cache: null, inputs: {}, outputs: {} },
    logs: { stdout: { url: "", size: 4 }, stderr: { url: "", size: 4 } },
  };
}

function showLogs(jobs: (asked: Asked) => JobList) {
  return renderPart(<LogsTab run={runRecord("r")} />, {
    at: "/run/r?tab=logs",
    answers: {
      "GET /api/runs/{run_id}/jobs": jobs,
      "GET /api/runs/{run_id}/jobs/{job_id}": ({ params }) => jobRecord(params["job_id"]),
      "GET /api/runs/{run_id}/jobs/{job_id}/log": ({ query }) =>
        new Response(query.get("stream") === "stdout" ? "out\n" : "err\n", { status: 206 }),
    },
  });
}

test("a job is found by name and state, and both of its streams are shown", async () => {
  const { address } = await showLogs(answerJobs);
  const list = page.getByRole("region", { name: "Jobs", exact: true });
  await page.getByLabelText("Find a job by name, step or sample").fill("measure.2");
  await expect.poll(() => list.getByRole("listitem").elements().length).toBe(1);
  await list.getByRole("button", { name: /measure\.2/ }).click();
  expect(address()).toContain("job=measure.2");
  await page.getByRole("button", { name: "Both" }).click();
  await expect.element(page.getByRole("region", { name: "stderr", exact: true }).getByText("err")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "stdout", exact: true }).getByText("out")).toBeVisible();
  await page.getByRole("combobox", { name: "State" }).selectOptions("Failed");
  await expect.element(list.getByText("No jobs match.")).toBeVisible();
});

test("a long name in the list keeps its end, where jobs of a step differ", async () => {
  const jobs = ["smooth", "threshold"].map((step) =>
    Object.assign(jobSummary(0), { job_id: `measure_each_subject-10.${step}` }),
  );
  await showLogs(() => ({ jobs, total: 2, next_page_token: "" }));
  const button = page.getByRole("button", { name: /measure_each_subject-10\.threshold/ });
  await expect.element(button).toBeVisible();
  const end = button.getByText("t-10.threshold", { exact: true }).element();
  const sample = button.getByText("sub-0").element();
  expect(end.getBoundingClientRect().right).toBeLessThanOrEqual(sample.getBoundingClientRect().left);
  expect(sample.scrollWidth).toBeLessThanOrEqual(sample.clientWidth); // not cut
});
