import type { Plan } from "@weft/shared/records/plan-record.ts";

/** One sentence: of the jobs known now, how many take over a result. */
export function retryForecast({ jobs, jobs_shown_of: all }: Pick<Plan, "jobs" | "jobs_shown_of">): string {
  const compared = jobs.filter(({ cache }) => cache.decision !== "off");
  if (compared.length === 0) return "Which later jobs take over a result is known when it runs.";
  const hits = compared.filter(({ cache }) => cache.decision === "hit").length;
  const unknown = compared.filter(({ cache }) => cache.decision === "unknown").length;
  const looked = jobs.length < all ? `the first ${jobs.length} jobs` : jobCount(jobs.length);
  const rest = unknown === 0 ? "" : `; of ${unknown} it is not known yet`;
  return `Of ${looked} known now, ${hits} ${hits === 1 ? "takes" : "take"} over a result${rest}.`;
}

function jobCount(count: number): string {
  return count === 1 ? "the 1 job" : `the ${count} jobs`;
}
