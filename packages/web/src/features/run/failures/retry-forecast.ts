import type { Plan } from "@weft/shared/records/plan-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";

type Planned = Pick<Plan, "jobs" | "jobs_shown_of"> & {
  readonly steps: readonly Pick<Plan["steps"][number], "jobs_total_is_final">[];
};

/** The predicted reuse of results: `20 of 22 jobs known so far will be reused, 1 will run, 1 is undecided.` */
export function retryForecast({ jobs, jobs_shown_of: all, steps }: Planned): string {
  const compared = jobs.filter(({ cache }) => cache.decision !== "off");
  if (compared.length === 0) return "Whether jobs reuse earlier results depends on the first results.";
  const hits = compared.filter(({ cache }) => cache.decision === "hit").length;
  const undecided = compared.filter(({ cache }) => cache.decision === "unknown").length;
  const runs = jobs.length - hits - undecided;
  const isWhole = steps.every(({ jobs_total_is_final }) => jobs_total_is_final);
  const known = `${countText(jobs.length, "job")}${isWhole ? "" : " known so far"}`;
  const shown = jobs.length < all ? `the first ${jobs.length} jobs` : known;
  return [
    `${hits} of ${shown} will be reused`,
    ...(runs === 0 ? [] : [`${runs} will run`]),
    ...(undecided === 0 ? [] : [`${undecided} ${undecided === 1 ? "is" : "are"} undecided`]),
  ]
    .join(", ")
    .concat(".");
}
