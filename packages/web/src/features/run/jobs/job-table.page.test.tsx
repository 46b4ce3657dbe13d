import type { JobList } from "@weft/shared/records/job-record.ts";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { jobSummary } from "../../../testing/job-summary.ts";
import { renderPart, textsOf, type Asked } from "../../../testing/render-part.tsx";
import { JobTable } from "./job-table.tsx";

const TOTAL = 100_000;

function pageOf({ query }: Asked): JobList {
  const first = Number(query.get("page_token") ?? query.get("skip") ?? 0);
  const jobs = Array.from({ length: Number(query.get("page_size") ?? 50) }, (_, n) => jobSummary(first + n));
  return { jobs, total: TOTAL, next_page_token: "" };
}

function Table() {
  const [chosen, setChosen] = useState("");
  return (
    <>
      <JobTable runId="r" filter={{}} total={TOTAL} chosen={chosen} onOpen={setChosen} hasMessages={false} />
      <output aria-label="Opened">{chosen}</output>
    </>
  );
}

const asked: string[] = [];

async function showTable(at = "/run/r") {
  asked.length = 0;
  const answers = {
    "GET /api/runs/{run_id}/jobs": (request: Asked) => {
      asked.push(request.query.toString());
      return pageOf(request);
    },
  };
  const shown = await renderPart(<Table />, { at, answers });
  return { ...shown, table: page.getByRole("table", { name: "Jobs of the run" }) };
}

test("links to each of 100,000 jobs, and reads and renders only the visible ones", async () => {
  const { address } = await showTable("/run/r?row=90001");
  await expect.element(page.getByRole("button", { name: "measure.90000" })).toBeInViewport();
  expect(document.querySelectorAll("tbody tr").length).toBeLessThan(100);
  expect(asked.length).toBeLessThan(4);
  await userEvent.wheel(page.getByRole("region", { name: "Jobs: table" }), { delta: { y: 3600 } });
  await expect.element(page.getByRole("button", { name: "measure.90100" })).toBeInViewport();
  await expect.poll(address).toMatch(/row=90101/);
});

test("a job opens by its name, and a failed one is marked", async () => {
  const { table } = await showTable();
  await table.getByRole("button", { name: "measure.3" }).click();
  await expect.element(page.getByLabelText("Opened")).toHaveTextContent("measure.3");
  await expect.element(table.getByRole("row").nth(4)).toMatchTextContent(/Failed/);
});

test("on a phone a row keeps its job and its state, without columns", async () => {
  await page.viewport(390, 844);
  const { table } = await showTable();
  await expect.element(table.getByRole("button", { name: "measure.3" })).toBeVisible();
  expect(table.getByRole("columnheader").elements()).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await page.viewport(1280, 860);
});

test("names that are cut keep their end, where they differ, and an empty column takes no space", async () => {
  const { table } = await showTable();
  await expect.element(table.getByRole("button", { name: "measure.3" })).toBeVisible();
  expect(textsOf(table.getByRole("columnheader"))).not.toContain("Message");
  const end = page.getByCss("tbody button span:last-child").first();
  expect(end.element().scrollWidth).toBeLessThanOrEqual(end.element().clientWidth + 1);
});

test("the queue time of a queued job counts up, and one that never started has none", async () => {
  const queued_at = new Date(Date.now() - 65_000).toISOString();
  const timing = { queued_at, started_at: null, ended_at: null, queued_ms: null, running_ms: null };
  const jobs: JobList["jobs"] = [
    Object.assign(jobSummary(0), { state: "QUEUED", timing }),
    Object.assign(jobSummary(1), { state: "CANCELED", timing: { ...timing, ended_at: queued_at } }),
  ];
  await renderPart(
    <JobTable runId="r" filter={{}} total={2} chosen="" onOpen={() => undefined} hasMessages={false} />,
    {
      answers: { "GET /api/runs/{run_id}/jobs": () => ({ jobs, total: 2, next_page_token: "" }) },
    },
  );
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect.element(row("measure.0")).toMatchTextContent(/1 m \d+ s/);
  await expect.element(row("measure.1")).not.toMatchTextContent(/\d+ m?s$/);
});
