import { expect } from "@playwright/test";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { JobList } from "@weft/shared/records/job-record.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { runExampleToEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("the time machine shows graph, samples, jobs and timeline as of an event, and leads back", async ({
  page,
  request,
}) => {
  const { run_id: id } = await runExampleToEnd(request, "imaging-cohort");
  // The tests of the API prove the shapes. A run is measured after its end, which is its last event.
  await expect.poll(async () => (await (await request.get(`/api/runs/${id}`)).json()).storage).not.toBeNull();
  const { jobs } = (await (await request.get(`/api/runs/${id}/jobs?page_size=100`)).json()) as JobList;
  const { events } = (await (await request.get(`/api/runs/${id}/events?page_size=500`)).json()) as {
    events: WeftEvent[];
  };
  // The moment when the second job of a scattered step starts: some are done, some run, some wait, some do not exist.
  const starts = jobs.flatMap(({ timing }) => timing.started_at ?? []).toSorted();
  const time = starts[Math.floor(starts.length / 2)] ?? "";
  const at = events.findLast((event) => event.time <= time)?.seq ?? 0;
  const queued = jobs.filter(({ timing }) => timing.queued_at <= time).length;
  const ended = jobs.filter(({ timing }) => (timing.ended_at ?? "z") <= time).length;
  expect(queued).toBeLessThan(jobs.length);

  await page.goto(`/run/${id}?tab=graph`);
  await page.getByRole("button", { name: "Time machine" }).click();
  const machine = page.getByRole("region", { name: "Time machine" });
  await expect(machine).toContainText(`event ${events.length} of ${events.length}`);
  // By keyboard alone: to the first event, and on from there.
  await machine.getByRole("slider", { name: "Event" }).focus();
  await page.keyboard.press("Home");
  await expect(machine).toContainText(`event 1 of ${events.length}`);
  await expect(machine).toContainText("run.created");
  await expect(page.getByRole("treeitem", { name: /^Queued Name subjects/ })).toBeVisible();
  await machine.getByRole("button", { name: "Next event" }).click();
  await expect(machine).toContainText(`event 2 of ${events.length}`);
  await expect(page).toHaveURL(new RegExp(`at=${events[1]?.seq}\\b`));
  await machine.getByRole("combobox", { name: "Speed" }).selectOption("1000 events/s");
  await machine.getByRole("button", { name: "Play", exact: true }).click();
  await expect(machine).toContainText(`event ${events.length} of ${events.length}`);
  await expect(machine.getByRole("button", { name: "Play", exact: true })).toBeVisible();

  // A link to a moment shows it at once, in every tab that can.
  await page.goto(`/run/${id}?tab=jobs&at=${at}`);
  await expect(page.getByRole("button", { name: "Run again" })).toBeHidden();
  const rows = page.getByRole("row").filter({ has: page.locator("[data-state]") });
  await expect(rows).toHaveCount(queued);
  await expect(rows.filter({ has: page.locator("[data-state=COMPLETE]") })).toHaveCount(ended);
  await page.getByRole("tab", { name: "Samples" }).click();
  await expect(page).toHaveURL(new RegExp(`at=${at}\\b`));
  await expect(page.getByRole("grid", { name: "Samples" })).toContainText("not yet");
  await expect(page.getByRole("button", { name: "Select all" })).toBeHidden();
  await page.getByRole("tab", { name: "Jobs" }).click();
  await page.getByRole("button", { name: "Timeline", exact: true }).click();
  await expect(page.getByRole("img", { name: /^Bars of/ })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect(machine).toBeHidden();
  await expect(
    page.getByRole("button", { name: "Run again" }).or(page.getByRole("link", { name: "Run again" })),
  ).toBeVisible();
});
