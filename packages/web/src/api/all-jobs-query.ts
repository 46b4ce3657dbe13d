import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { MAX_JOBS, type AllJobs, type JobTimes } from "./all-jobs.ts";
import { jobsOfPart } from "./jobs-of-part.ts";

/**
 * While a run is open, events update the timeline; refetching repairs what an event could have missed during a read.
 */
const REPAIR_MS = 15_000;

export const allJobsKey = (runId: string) => ["all-jobs", runId] as const;

/** All jobs of a run in queue order, read in parts. */
export function allJobsQuery(runId: string, isOpen: boolean) {
  return queryOptions({
    queryKey: allJobsKey(runId),
    queryFn: ({ signal }) => readAll(runId, signal),
    refetchInterval: isOpen ? REPAIR_MS : false,
    structuralSharing: false,
  });
}

async function readAll(runId: string, signal: AbortSignal): Promise<AllJobs> {
  const jobs: JobTimes[] = [];
  let total = 0;
  let after: number | undefined;
  do {
    // Each part names the next: they cannot be read at the same time.
    // eslint-disable-next-line no-await-in-loop
    const part = await api("GET /api/runs/{run_id}/timeline", { params: { run_id: runId }, query: { after }, signal });
    for (const job of jobsOfPart(part)) jobs.push(job);
    total = Math.max(total, part.total, jobs.length);
    after = part.next ?? undefined;
  } while (after !== undefined && jobs.length < MAX_JOBS);
  return { jobs, total };
}
