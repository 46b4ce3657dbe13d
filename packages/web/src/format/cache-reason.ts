import type { PlannedJobCache } from "@weft/shared/records/job-record.ts";

/** Why a job reused an earlier result or did not, with the current name of the source run. */
export function cacheReason({ decision, reason, job }: PlannedJobCache): string {
  if (decision !== "hit" || job === undefined) return reason;
  return `the result of job ${job.job_id} in run ${job.run_name} is still valid`;
}
