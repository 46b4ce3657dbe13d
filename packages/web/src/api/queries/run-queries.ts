import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { DescribeRun, Run, RunSummary } from "@weft/shared/records/run-record.ts";
import type { SampleRow } from "@weft/shared/records/sample-record.ts";
import type { RouteQueryInput } from "@weft/shared/routes/routes.ts";
import { api } from "../client.ts";
import { invalidateRoutes, placeholderOf, routeKey, routeQuery } from "../route-query.ts";

export type RunFilter = Omit<NonNullable<RouteQueryInput<"GET /api/runs">>, "view">;

/** A page of runs as the cache holds it; plain URL strings never occur because the request has no `view`. */
export interface RunPage {
  readonly runs: readonly RunSummary[];
  readonly total: number | null;
  readonly next_page_token: string;
}

/** The maximum number of samples to load. Beyond it, the page says so. */
const MAX_SAMPLES = 50_000;

/** The interval at which the states of all samples are refreshed while the run is open; shorter with fewer samples. */
const REFETCH_MS = 3000;
const REFETCH_MANY_MS = 15_000;
const MANY = 1000;

export function runListQuery(query: RunFilter) {
  const queryKey = routeKey("GET /api/runs", { query });
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<RunPage> => {
      const page = await api("GET /api/runs", { query, signal });
      return { ...page, runs: page.runs.filter((run) => typeof run !== "string") };
    },
    placeholderData: placeholderOf(queryKey),
  });
}

export const runQuery = (runId: string) => routeQuery("GET /api/runs/{run_id}", { params: { run_id: runId } });

const readWhole = (runId: string, signal: AbortSignal) =>
  api("GET /api/runs/{run_id}", { params: { run_id: runId }, query: { view: "full" }, signal });

interface DescribeOptions {
  readonly onDone?: () => void;
  readonly onError?: (error: Error) => void;
}

/** Changes the name, note, tags or flags of a run. */
export function useDescribeRun(runId: string, { onDone, onError }: DescribeOptions) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: DescribeRun) => api("POST /api/runs/{run_id}/describe", { params: { run_id: runId }, body }),
    onSuccess: (changed) => {
      cache.setQueryData(runQuery(runId).queryKey, changed);
      void invalidateRoutes(cache, "GET /api/runs");
      onDone?.();
    },
    ...(onError === undefined ? {} : { onError }),
  });
}

/** A run with all its values, however large. */
export function wholeRunQuery(runId: string) {
  return queryOptions({
    // Large, so it is read again with the outputs, not after each event of a job.
    queryKey: routeKey("GET /api/runs/{run_id}/outputs", { params: { run_id: runId } }, "whole run"),
    queryFn: ({ signal }): Promise<Run> => readWhole(runId, signal),
  });
}

/** Larger values are not read into the page to compare them. */
const MAX_COMPARED_BYTES = 4 * 1024 ** 2;

/**
 * A run with its values, unless they are very large: then they are null, and `omitted` says so. A failed or aborted run
 * has the outputs that its jobs produced, as on its own page.
 */
export function comparedRunQuery(runId: string) {
  return queryOptions({
    queryKey: routeKey("GET /api/runs/{run_id}", { params: { run_id: runId } }, "compared"),
    queryFn: async ({ signal, client }): Promise<Run> => {
      const run = await client.fetchQuery({ ...runQuery(runId), staleTime: 0 });
      const { inputs_bytes: inputs = 0, outputs_bytes: outputs = 0 } = run.omitted ?? {};
      const isShort = run.omitted === undefined || inputs + outputs > MAX_COMPARED_BYTES;
      const whole = isShort ? run : await readWhole(runId, signal);
      if (!whole.partial || whole.outputs !== null || outputs > 0) return whole;
      return { ...whole, outputs: (await client.fetchQuery(runOutputsQuery(runId))).outputs };
    },
  });
}

/** The outputs of a run; for a failed or aborted run, the outputs of its finished jobs. */
export const runOutputsQuery = (runId: string) =>
  routeQuery("GET /api/runs/{run_id}/outputs", { params: { run_id: runId } });

export interface EventPage {
  readonly events: readonly WeftEvent[];
  readonly last_seq: number;
  readonly next_page_token: string;
}

export const eventsKey = (runId: string) => routeKey("GET /api/runs/{run_id}/events", { params: { run_id: runId } });

/** The events of a run, oldest first, 200 at a time. */
export function runEventsQuery(runId: string) {
  return infiniteQueryOptions({
    queryKey: eventsKey(runId),
    queryFn: ({ signal, pageParam }): Promise<EventPage> =>
      api("GET /api/runs/{run_id}/events", {
        params: { run_id: runId },
        query: { page_size: 200, page_token: pageParam || undefined },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_page_token || undefined,
  });
}

export interface RunSamples {
  readonly steps: readonly string[];
  readonly samples: readonly SampleRow[];
  /** Total number of samples of the run, of which at most MAX_SAMPLES are kept. */
  readonly total: number;
}

/** All samples of a run with the states of their jobs. */
export function samplesQuery(runId: string, isOpen: boolean) {
  return queryOptions({
    queryKey: routeKey("GET /api/runs/{run_id}/samples", { params: { run_id: runId } }),
    queryFn: ({ signal }) => readAll(runId, signal),
    refetchInterval: ({ state }) =>
      isOpen ? ((state.data?.samples.length ?? 0) > MANY ? REFETCH_MANY_MS : REFETCH_MS) : false,
    structuralSharing: false,
  });
}

async function readAll(runId: string, signal: AbortSignal): Promise<RunSamples> {
  const samples: SampleRow[] = [];
  let steps: readonly string[] = [];
  let total = 0;
  let pageToken: string | undefined;
  do {
    // Each page names the next: they cannot be read at the same time.
    // eslint-disable-next-line no-await-in-loop
    const page = await api("GET /api/runs/{run_id}/samples", {
      params: { run_id: runId },
      query: { page_size: MAX_SAMPLES, page_token: pageToken },
      signal,
    });
    samples.push(...page.samples);
    ({ steps } = page);
    total = Math.max(total, page.total ?? 0, samples.length);
    pageToken = page.next_page_token || undefined;
  } while (pageToken !== undefined && samples.length < MAX_SAMPLES);
  return { steps, samples, total };
}
