import { queryOptions } from "@tanstack/react-query";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { api } from "./client.ts";
import { MAX_TIMELINE_JOBS, type TimelineData, type TimelineJob } from "./timeline-data.ts";

const PAGE_SIZE = 500;
/** While a run is open events keep the timeline; this repairs what an event could have missed during a reading. */
const REPAIR_MS = 15_000;

export const timelineKey = (runId: string) => ["job-timeline", runId] as const;

/** All jobs of a run, read page by page, in the order in which they were queued. */
export function timelineQuery(runId: string, isOpen: boolean) {
  return queryOptions({
    queryKey: timelineKey(runId),
    queryFn: ({ signal }) => readAll(runId, signal),
    refetchInterval: isOpen ? REPAIR_MS : false,
    structuralSharing: false,
  });
}

async function readAll(runId: string, signal: AbortSignal): Promise<TimelineData> {
  const jobs: TimelineJob[] = [];
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
    jobs.push(...page.jobs.map(toTimelineJob));
    total = Math.max(total, page.total ?? 0, jobs.length);
    pageToken = page.next_page_token || undefined;
  } while (pageToken !== undefined && jobs.length < MAX_TIMELINE_JOBS);
  return { jobs, total };
}

function toTimelineJob({ job_id, step, sample_id, state, timing }: JobSummary): TimelineJob {
  const ms = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time));
  return {
    id: job_id,
    step,
    sample: sample_id,
    state,
    queuedMs: Date.parse(timing.queued_at),
    startedMs: ms(timing.started_at),
    exitedMs: undefined,
    endedMs: ms(timing.ended_at),
  };
}
