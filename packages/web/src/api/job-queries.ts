import { queryOptions } from "@tanstack/react-query";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { JobSort } from "@weft/shared/records/job-sorts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { basePath } from "./base-path.ts";
import { api } from "./client.ts";

/** The reason why a job waits changes without an event of its run. */
const WAITING_REFETCH_MS = 5000;

interface JobFilter {
  readonly states?: readonly JobState[] | undefined;
  readonly step?: string | undefined;
  readonly sample?: string | undefined;
  readonly q?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

/** Filters and an order of the table of jobs; the server looks through all of them. */
export interface JobTableFilter {
  readonly states?: readonly JobState[] | undefined;
  readonly step?: string | undefined;
  readonly sample?: string | undefined;
  readonly q?: string | undefined;
  readonly message?: string | undefined;
  readonly cache?: CacheDecision | undefined;
  readonly minRunningMs?: number | undefined;
  readonly maxRunningMs?: number | undefined;
  readonly minRssBytes?: number | undefined;
  readonly maxRssBytes?: number | undefined;
  readonly sort?: JobSort | undefined;
}

type CacheDecision = NonNullable<JobSummary["cache_decision"]>;

/** Number of rows per request of the table. */
export const JOBS_PER_PAGE = 100;

export const jobKeys = {
  lists: (runId: string) => ["job-list", runId] as const,
  list: (runId: string, filter: JobFilter) => ["job-list", runId, filter] as const,
  page: (runId: string, filter: JobTableFilter, page: number) => ["job-list", runId, filter, page] as const,
  details: (runId: string) => ["job", runId] as const,
  detail: (runId: string, jobId: string) => ["job", runId, jobId] as const,
};

const FORECAST_REFETCH_MS = 10_000;

export function jobListQuery(runId: string, filter: JobFilter) {
  return queryOptions({
    queryKey: jobKeys.list(runId, filter),
    queryFn: ({ signal }) => {
      const { states, step, sample, q, pageSize, pageToken } = filter;
      const query = { state: states?.join(","), step, sample, q, page_size: pageSize, page_token: pageToken };
      return api("GET /api/runs/{run_id}/jobs", { params: { run_id: runId }, query, signal });
    },
    placeholderData: (before, query) => (isSameList(query?.queryKey[2], filter) ? before : undefined),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isWaiting) === true ? WAITING_REFETCH_MS : false),
  });
}

/** Some rows of the table, by position. */
export function jobPageQuery(runId: string, filter: JobTableFilter, page: number) {
  const { states, step, sample, q, message, cache, sort, ...bounds } = filter;
  return queryOptions({
    queryKey: jobKeys.page(runId, filter, page),
    queryFn: ({ signal }) =>
      api("GET /api/runs/{run_id}/jobs", {
        params: { run_id: runId },
        query: {
          ...{ state: states?.join(","), step, sample, q, message, cache, sort, page_size: JOBS_PER_PAGE },
          ...{ min_running_ms: bounds.minRunningMs, max_running_ms: bounds.maxRunningMs },
          ...{ min_rss_bytes: bounds.minRssBytes, max_rss_bytes: bounds.maxRssBytes },
          skip: page === 0 ? undefined : page * JOBS_PER_PAGE,
        },
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isWaiting) === true ? WAITING_REFETCH_MS : false),
  });
}

/** While the answer loads, shows another page or search of the list, but never jobs in other states. */
function isSameList(before: JobFilter | undefined, now: JobFilter): boolean {
  const unpaged = (filter: JobFilter) => JSON.stringify({ ...filter, pageToken: undefined, q: undefined });
  return before !== undefined && unpaged(before) === unpaged(now);
}

export function jobQuery(runId: string, jobId: string) {
  return queryOptions({
    queryKey: jobKeys.detail(runId, jobId),
    queryFn: ({ signal }) =>
      api("GET /api/runs/{run_id}/jobs/{job_id}", { params: { run_id: runId, job_id: jobId }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data) ? WAITING_REFETCH_MS : false),
  });
}

function isWaiting({ state_reason }: JobSummary): boolean {
  return state_reason?.code === "WAITING";
}

export type LogStream = "stdout" | "stderr";

export interface LogSource {
  readonly runId: string;
  readonly jobId: string;
  readonly stream: LogStream;
}

/** Where the complete log of a job can be read. */
export function jobLogUrl({ runId, jobId, stream }: LogSource): string {
  return `${basePath}/api/runs/${runId}/jobs/${encodeURIComponent(jobId)}/log?stream=${stream}`;
}

interface ByteRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The lines of a range that begins with a line. Kept only briefly after they scroll away. */
export function logLinesQuery(source: LogSource, { from, to }: ByteRange) {
  return queryOptions({
    queryKey: ["job-log", source.runId, source.jobId, source.stream, from, to] as const,
    queryFn: ({ signal }) => readLines(source, { from, to }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    structuralSharing: false,
  });
}

async function readLines(source: LogSource, range: ByteRange, signal: AbortSignal): Promise<readonly string[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  await streamLog(source, range, { signal, onBytes: (bytes) => void chunks.push(bytes) });
  const text = await new Blob(chunks).text(); // invalid UTF-8 becomes U+FFFD
  return text.replace(/\n$/, "").split("\n");
}

interface StreamOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
}

/** Reads a log from a byte to its current end or `to`, piece by piece. A missing log has no bytes. */
export async function streamLog(
  source: LogSource,
  { from, to }: { readonly from: number; readonly to?: number },
  { signal, onBytes }: StreamOptions,
): Promise<void> {
  // A range that begins after the last byte would be refused: it reads the byte before again and drops it.
  const before = to === undefined && from > 0 ? 1 : 0;
  const range = `bytes=${from - before}-${to === undefined ? "" : to - 1}`;
  const headers = from === 0 && to === undefined ? undefined : { range };
  // A browser's cache may answer a range of a growing file with the part that it already has.
  const response = await fetch(jobLogUrl(source), { ...(headers && { headers }), cache: "no-store", signal });
  if (response.status === 416 || response.status === 404) return; // nothing after that byte, or nothing written yet
  if (!response.ok) throw new ApiError(response.status, undefined);
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let left = before;
  for (;;) {
    // Each piece comes after the one before.
    // eslint-disable-next-line no-await-in-loop
    const { done, value } = await reader.read();
    if (done) return;
    onBytes(value.subarray(left));
    left = 0;
  }
}

/** Time left of a run; refreshed while it is open. */
export function forecastQuery({ run_id: runId, end_time: endTime }: Pick<Run, "run_id" | "end_time">) {
  return queryOptions({
    queryKey: ["forecast", runId] as const,
    queryFn: ({ signal }) => api("GET /api/runs/{run_id}/forecast", { params: { run_id: runId }, signal }),
    enabled: endTime === null,
    refetchInterval: FORECAST_REFETCH_MS,
    // An estimate for another run, or for this run before a pause, does not apply.
    staleTime: FORECAST_REFETCH_MS,
  });
}

/** Requested and used resources of the steps of a run, in this run and earlier ones. */
export function runSizingQuery(runId: string) {
  return queryOptions({
    queryKey: ["sizing", "run", runId] as const,
    queryFn: ({ signal }) => api("GET /api/runs/{run_id}/sizing", { params: { run_id: runId }, signal }),
    staleTime: 60_000,
  });
}

export function toolSizingQuery(id: string, version: string) {
  return queryOptions({
    queryKey: ["sizing", "tool", id, version] as const,
    queryFn: ({ signal }) => api("GET /api/tools/{id}/{version}/sizing", { params: { id, version }, signal }),
    staleTime: 60_000,
  });
}
