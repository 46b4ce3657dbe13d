import { queryOptions } from "@tanstack/react-query";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { api } from "./client.ts";
import { MAX_JOBS, type AllJobs, type JobTimes } from "./all-jobs.ts";

const PAGE_SIZE = 500;
/** While a run is open events keep the timeline; this repairs what an event could have missed during a reading. */
const REPAIR_MS = 15_000;

export const allJobsKey = (runId: string) => ["all-jobs", runId] as const;

/** All jobs of a run, read page by page, in the order in which they were queued. */
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
  let pageToken: string | undefined;
  do {
    // Each page names the next: they cannot be read at the same time.
    // eslint-disable-next-line no-await-in-loop
    const page = await api("GET /api/runs/{run_id}/jobs", {
      params: { run_id: runId },
      query: { page_size: PAGE_SIZE, page_token: pageToken },
      signal,
    });
    jobs.push(...page.jobs.map(toJobTimes));
    total = Math.max(total, page.total ?? 0, jobs.length);
    pageToken = page.next_page_token || undefined;
  } while (pageToken !== undefined && jobs.length < MAX_JOBS);
  return { jobs, total };
}

function toJobTimes({ job_id, step, sample_id, state, attempt, cached, timing }: JobSummary): JobTimes {
  const ms = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time));
  return {
    id: job_id,
    step,
    sample: sample_id,
    state,
    attempt,
    cached,
    queuedMs: Date.parse(timing.queued_at),
    startedMs: ms(timing.started_at),
    exitedMs: undefined,
    endedMs: ms(timing.ended_at),
  };
}
