import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import { retryForecast } from "./retry-forecast.ts";

type Decision = Plan["jobs"][number]["cache"]["decision"];

function planOf(decisions: readonly Decision[], all = decisions.length): Pick<Plan, "jobs" | "jobs_shown_of"> {
  const jobs = decisions.map((decision) => ({
    step: "s",
    sample_id: null,
    scatter_index: [],
    command: null,
    container: null,
    resources: null,
    cache: { decision, reason: "", diff: [] },
  }));
  return { jobs, jobs_shown_of: all };
}

test("a forecast counts what would be taken over", () => {
  const cases: readonly (readonly [ReturnType<typeof planOf>, string])[] = [
    [planOf(["hit", "hit", "miss"]), "Of the 3 jobs known now, 2 take over a result."],
    [planOf(["hit"]), "Of the 1 job known now, 1 takes over a result."],
    [planOf(["miss", "unknown"]), "Of the 2 jobs known now, 0 take over a result; of 1 it is not known yet."],
    [planOf(["hit", "miss"], 900), "Of the first 2 jobs known now, 1 takes over a result."],
    [planOf(["off"]), "Which later jobs take over a result is known when it runs."],
    [planOf([]), "Which later jobs take over a result is known when it runs."],
  ];
  for (const [plan, expected] of cases) assert.equal(retryForecast(plan), expected);
});
