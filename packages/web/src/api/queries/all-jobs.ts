import { queryOptions } from "@tanstack/react-query";
import type { JobProgress } from "@weft/shared/fold/fold-job.ts";
import type { JobTimesPart } from "@weft/shared/records/job-record.ts";
import { api } from "../client.ts";
import { routeKey } from "../route-query.ts";

/** The timeline's record of a job; times in milliseconds since 1970, undefined until known. */
export interface JobTimes extends JobProgress {
  readonly id: string;
  readonly step: string;
  readonly sample: string | null;
  /** True for a cache hit. */
  readonly cached: boolean;
  readonly queuedMs: number;
  /** Requested, like `ramBytes`; undefined if unknown. */
  readonly cores: number | undefined;
  readonly ramBytes: number | undefined;
  /** Peak memory, where it was measured. */
  readonly rssBytes: number | undefined;
}

export interface AllJobs {
  readonly jobs: readonly JobTimes[];
  /** Total number of jobs of the run, of which at most MAX_JOBS are kept. */
  readonly total: number;
}

/** The maximum number of jobs to load. Beyond it, the page says so; the list of jobs has all of them. */
export const MAX_JOBS = 200_000;

/** While a run is open, events update the timeline; refetching adds changes that were missed during a read. */
const REPAIR_MS = 15_000;

export const allJobsKey = (runId: string) => routeKey("GET /api/runs/{run_id}/timeline", { params: { run_id: runId } });

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

/** The jobs of one response, which lists the values field by field. */
export function jobsOfPart({ origin, steps, samples, jobs }: JobTimesPart): readonly JobTimes[] {
  const originMs = Date.parse(origin);
  const since = (ms: number | null | undefined): number | undefined => (ms == null ? undefined : originMs + ms);
  return jobs.job_id.map((id, n) => ({
    id,
    step: steps[jobs.step[n] ?? -1] ?? "",
    sample: samples[jobs.sample[n] ?? -1] ?? null,
    state: jobs.state[n] ?? "QUEUED",
    attempt: jobs.attempt[n] ?? 1,
    cached: jobs.cached[n] ?? false,
    queuedMs: originMs + (jobs.queued[n] ?? 0),
    startedMs: since(jobs.started[n]),
    exitedMs: undefined,
    endedMs: since(jobs.ended[n]),
    cores: jobs.cores[n] ?? undefined,
    ramBytes: jobs.ram_bytes[n] ?? undefined,
    rssBytes: jobs.max_rss_bytes[n] ?? undefined,
  }));
}
