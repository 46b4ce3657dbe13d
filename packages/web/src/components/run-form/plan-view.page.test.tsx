import type { Plan, PlannedJob } from "@weft/shared/records/plan-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import { PlanView } from "./plan-view.tsx";

function job(step: string, n: number, decision: PlannedJob["cache"]["decision"] = "miss"): PlannedJob {
  return {
    ...{ step, sample_id: `sub-${n}`, scatter_index: [n], container: null },
    resources: { cores: 1, ram_bytes: 2 ** 28 },
    command: { argv: [step, `sub-${n}.nii`], stdin: null, stdout: null, stderr: null, env: {}, cwd: "/job" },
    cache: { decision, reason: null },
  } as unknown as PlannedJob; // the fields that the page shows
}

const samples = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const commands = () => page.getByText(/sub-\d+\.nii/).elements().length;

async function showPlan(jobs: readonly PlannedJob[], steps: Plan["steps"] = []) {
  const plan: Plan = { inputs: {}, steps, jobs: [...jobs], jobs_shown_of: jobs.length };
  await renderPart(<PlanView plan={plan} onAgain={undefined} />);
}

for (const count of [1, 2, 38, 200])
  test(`a preview of ${count} samples shows one command line per step until the others are requested`, async () => {
    await showPlan(["smooth", "draw"].flatMap((step) => samples(count).map((n) => job(step, n))));
    await expect.poll(commands).toBe(2);
    const more = page.getByRole("button", { name: /^Show .* of smooth$/ });
    if (count === 1) return expect(more.elements()).toEqual([]);
    await expect.element(more).toHaveTextContent(`Show ${count - 1} more ${count === 2 ? "job" : "jobs"} of smooth`);
    await more.click();
    await expect.poll(commands).toBe(count + 1);
  });

test("a preview shows a job that runs and one that is reused, although both belong to one step", async () => {
  await showPlan([...samples(5).map((n) => job("smooth", n, "hit")), ...samples(3).map((n) => job("smooth", n + 5))]);
  await expect.poll(commands).toBe(2);
  await expect.element(page.getByRole("button", { name: "Show 4 more jobs of smooth" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Show 2 more jobs of smooth" })).toBeVisible();
});

test("a preview names steps by their labels, as the page of the run does", async () => {
  const known = { jobs_total: 2, jobs_total_is_final: true, unknown_because: [] };
  const steps = [
    { step: "smooth", label: "Smooth images", ...known },
    { step: "draw", ...known },
  ];
  await showPlan([job("smooth", 1), job("smooth", 2), job("draw", 1)], steps);
  await expect.element(page.getByText("Smooth images", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Smooth images · sub-1")).toBeVisible();
  await expect.element(page.getByText("draw · sub-1")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Show 1 more job of Smooth images" })).toBeVisible();
});
