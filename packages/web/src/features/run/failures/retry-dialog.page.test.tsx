import type { Plan } from "@weft/shared/records/plan-record.ts";
import { expect, test } from "vitest";
import { retryForecast } from "./failure-actions.tsx";

type Decision = Plan["jobs"][number]["cache"]["decision"];

function planOf(decisions: readonly Decision[], all = decisions.length, jobs_total_is_final = true) {
  const jobs = decisions.map((decision) => ({
    ...{ step: "s", sample_id: null, scatter_index: [], command: null, container: null, resources: null },
    cache: { decision, reason: "", diff: [] },
  }));
  return { jobs, jobs_shown_of: all, steps: [{ jobs_total_is_final }] };
}

test("a forecast counts the jobs that would be reused", () => {
  const cases: readonly (readonly [ReturnType<typeof planOf>, string])[] = [
    [planOf(["hit", "hit", "miss"]), "2 of 3 jobs will be reused, 1 will run."],
    [planOf(["hit"]), "1 of 1 job will be reused."],
    [planOf(["miss", "unknown"]), "0 of 2 jobs will be reused, 1 will run, 1 is undecided."],
    [planOf(["hit", "miss"], 2, false), "1 of 2 jobs known so far will be reused, 1 will run."],
    [planOf(["hit", "miss"], 900), "1 of the first 2 jobs will be reused, 1 will run."],
    [planOf(["off"]), "Whether jobs reuse earlier results depends on the first results."],
    [planOf([]), "Whether jobs reuse earlier results depends on the first results."],
  ];
  for (const [plan, expected] of cases) expect(retryForecast(plan)).toBe(expected);
});
