import type { Plan } from "@weft/shared/records/plan-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";

/** The predicted reuse of results: `20 of 22 jobs will be reused, 1 will run, 1 is undecided.` */
export function retryForecast({ jobs, jobs_shown_of: all }: Pick<Plan, "jobs" | "jobs_shown_of">): string {
  const compared = jobs.filter(({ cache }) => cache.decision !== "off");
  if (compared.length === 0) return "Whether jobs reuse earlier results depends on the first results.";
  const hits = compared.filter(({ cache }) => cache.decision === "hit").length;
  const undecided = compared.filter(({ cache }) => cache.decision === "unknown").length;
  const runs = jobs.length - hits - undecided;
  const shown = jobs.length < all ? `the first ${jobs.length} jobs` : countText(jobs.length, "job");
  return [
    `${hits} of ${shown} will be reused`,
    ...(runs === 0 ? [] : [`${runs} will run`]),
    ...(undecided === 0 ? [] : [`${undecided} ${undecided === 1 ? "is" : "are"} undecided`]),
  ]
    .join(", ")
    .concat(".");
}
