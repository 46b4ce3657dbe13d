import type { JobList } from "@weft/shared/records/job-record.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { jobSummary } from "../../../testing/job-summary.ts";
import { type Asked, renderPart, textsOf } from "../../../testing/render-part.tsx";
import { runRecord } from "../../../testing/run-record.ts";
import JobsTab from "./jobs-tab.tsx";

const JOBS = [1, 0, 2].map(jobSummary);
const job_counts = { COMPLETE: JOBS.length };
const RUN = runRecord("r", {
  progress: { ...runRecord("r").progress, jobs_total: JOBS.length },
  job_counts,
  step_counts: [{ step: "measure", jobs_total: JOBS.length, jobs_total_is_final: true, jobs_cached: 0, job_counts }],
});

/** Sorts by the run time and filters by it, as the server does. */
function answerJobs({ query }: Asked): JobList {
  const least = Number(query.get("min_running_ms") ?? 0);
  const jobs = JOBS.filter(({ timing }) => (timing.running_ms ?? 0) >= least);
  const sort = query.get("sort") ?? "";
  const sign = sort.startsWith("-") ? -1 : 1;
  if (sort.endsWith("running_ms"))
    jobs.sort((one, other) => sign * ((one.timing.running_ms ?? 0) - (other.timing.running_ms ?? 0)));
  return { jobs, total: jobs.length, next_page_token: "" };
}

function showTab(at = "/run/r?tab=jobs") {
  return renderPart(<JobsTab run={RUN} />, { at, answers: { "GET /api/runs/{run_id}/jobs": answerJobs } });
}

const table = page.getByRole("table", { name: "Jobs of the run" });
const names = () => textsOf(table.getByRole("button", { name: /^measure\.\d$/ }));

test("jobs are sorted by the server, and the address keeps the order", async () => {
  const { address, unmount } = await showTab();
  await expect.poll(names).toEqual(["measure.1", "measure.0", "measure.2"]);
  await table.getByRole("button", { name: "Run time" }).click();
  const head = table.getByRole("columnheader", { name: "Run time" });
  await expect.element(head).toHaveAttribute("aria-sort", "descending");
  await expect.poll(names).toEqual(["measure.2", "measure.1", "measure.0"]);
  const sorted = address();
  await unmount();
  await showTab(sorted);
  await expect.poll(names).toEqual(["measure.2", "measure.1", "measure.0"]);
  await table.getByRole("button", { name: "Run time" }).click();
  await expect.poll(names).toEqual(["measure.0", "measure.1", "measure.2"]);
});

test("a filter that cannot be read shows an example, and one button clears the filters", async () => {
  const { address } = await showTab();
  await page.getByRole("button", { name: "More filters" }).click();
  const least = page.getByRole("textbox", { name: /^Ran at least/ });
  await least.fill("soon");
  await expect.element(page.getByText("Example: 5m")).toBeVisible();
  await least.fill("9d");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("No jobs match these filters.")).toBeVisible();
  expect(address()).toContain("ran-min=9d");
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect.poll(() => names().length).toBe(JOBS.length);
  expect(address()).toBe("/run/r?tab=jobs");
});

test("the choice of columns is remembered", async () => {
  const { unmount } = await showTab();
  const columns = () => textsOf(table.getByRole("columnheader"));
  await expect.poll(columns).toContain("Exit code");
  await page.getByText("Columns", { exact: true }).click();
  await page.getByRole("checkbox", { name: "Exit code" }).click();
  await expect.poll(columns).not.toContain("Exit code");
  await unmount();
  await showTab();
  await expect.poll(columns).toContain("Peak memory");
  expect(columns()).not.toContain("Exit code");
});

test("the count of filtered jobs compares them with those that exist, not with those that a failure prevented", async () => {
  const run = { ...RUN, progress: { ...RUN.progress, jobs_total: 900 } };
  await renderPart(<JobsTab run={run} />, {
    at: "/run/r?tab=jobs&ran-min=1ms",
    answers: { "GET /api/runs/{run_id}/jobs": answerJobs },
  });
  await expect.element(page.getByText(/of 3 jobs$/)).toBeVisible();
});
