import { queryOptions } from "@tanstack/react-query";
import type { JobList, JobSummary } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import type { RouteQueryInput } from "@weft/shared/routes/routes.ts";
import { basePath } from "../base-path.ts";
import { routeQuery } from "../route-query.ts";

/** The reason why a job waits changes without an event of its run. */
const WAITING_REFETCH_MS = 5000;

/** Filters, order and page of the jobs of a run; the server looks through all of them. */
export type JobFilter = NonNullable<RouteQueryInput<"GET /api/runs/{run_id}/jobs">>;

/** Number of rows per request of the table. */
export const JOBS_PER_PAGE = 100;

const FORECAST_REFETCH_MS = 10_000;

export function jobListQuery(runId: string, query: JobFilter) {
  return {
    ...routeQuery("GET /api/runs/{run_id}/jobs", { params: { run_id: runId }, query }),
    refetchInterval: ({ state }: { readonly state: { readonly data: JobList | undefined } }) =>
      state.data?.jobs.some(isWaiting) === true ? WAITING_REFETCH_MS : false,
  };
}

/** Some rows of the table, by position. */
export const jobPageQuery = (runId: string, filter: JobFilter, page: number) =>
  jobListQuery(runId, { ...filter, page_size: JOBS_PER_PAGE, skip: page === 0 ? undefined : page * JOBS_PER_PAGE });

export function jobQuery(runId: string, jobId: string) {
  return {
    ...routeQuery("GET /api/runs/{run_id}/jobs/{job_id}", { params: { run_id: runId, job_id: jobId } }),
    refetchInterval: ({ state }: { readonly state: { readonly data: JobSummary | undefined } }) =>
      state.data !== undefined && isWaiting(state.data) ? WAITING_REFETCH_MS : false,
  };
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

/** The URL of the complete log of a job. */
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
  // The server would refuse a range that begins after the last byte, so the request includes the byte before it.
  const before = to === undefined && from > 0 ? 1 : 0;
  const range = `bytes=${from - before}-${to === undefined ? "" : to - 1}`;
  const headers = from === 0 && to === undefined ? undefined : { range };
  // A browser's cache may answer a range of a growing file with the part that it already has.
  const response = await fetch(jobLogUrl(source), { ...(headers && { headers }), cache: "no-store", signal });
  if (response.status === 416 || response.status === 404) return; // there is no content after that byte, or none yet
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
  return {
    ...routeQuery("GET /api/runs/{run_id}/forecast", { params: { run_id: runId } }),
    enabled: endTime === null,
    refetchInterval: FORECAST_REFETCH_MS,
    // An estimate for another run, or for this run before a pause, does not apply.
    staleTime: FORECAST_REFETCH_MS,
  };
}

/** Requested and used resources of the steps of a run, in this run and earlier ones. */
export const runSizingQuery = (runId: string) => ({
  ...routeQuery("GET /api/runs/{run_id}/sizing", { params: { run_id: runId } }),
  staleTime: 60_000,
});
