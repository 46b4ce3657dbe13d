import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { StateBadge } from "../ui/state-badge.tsx";

/** The state of a job, and whether it is a cache hit. */
export function JobBadge({ job }: { readonly job: Pick<JobSummary, "state" | "cached"> }) {
  return <StateBadge state={job.state} {...(job.cached ? { note: "cached" } : {})} />;
}
