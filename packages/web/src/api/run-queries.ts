import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { Run, RunOutputs, RunSummary } from "@weft/shared/records/run-record.ts";
import type { SampleRow } from "@weft/shared/records/sample-record.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { api } from "./client.ts";

export interface RunFilter {
  readonly states?: readonly RunState[] | undefined;
  readonly network?: string | undefined;
  readonly tool?: string | undefined;
  readonly q?: string | undefined;
  /** `key` or `key:value` */
  readonly tag?: string | undefined;
  readonly owner?: string | undefined;
  /** Without a value, archived runs are hidden. */
  readonly archived?: "only" | "all" | undefined;
  readonly pinned?: boolean | undefined;
  /** Created at or after, as ISO 8601. */
  readonly since?: string | undefined;
  /** Created before. */
  readonly until?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

/** A page of runs as the cache holds it; plain URL strings never occur because the request has no `view`. */
export interface RunPage {
  readonly runs: readonly RunSummary[];
  readonly total: number | null;
  readonly next_page_token: string;
}

export const runKeys = {
  outputs: (runId: string) => ["run", runId, "outputs"] as const,
  lists: ["run-list"] as const,
  list: (filter: RunFilter) => ["run-list", filter] as const,
  details: ["run"] as const,
  detail: (runId: string) => ["run", runId] as const,
  compared: (runId: string) => ["run", runId, "compared"] as const,
  whole: (runId: string) => ["run", runId, "whole"] as const,
};

export const eventKeys = { ofRun: (runId: string) => ["event-list", runId] as const };

const PAGE_SIZE = 5000;

/** Maximum number of samples kept; beyond it, the page says so. */
const MAX_SAMPLES = 50_000;

/** How often the states of all samples are refreshed while the run is open; more often with fewer samples. */
const REFETCH_MS = 3000;
const REFETCH_MANY_MS = 15_000;
const MANY = 1000;

export function runListQuery(filter: RunFilter) {
  return queryOptions({
    queryKey: runKeys.list(filter),
    queryFn: ({ signal }): Promise<RunPage> => readRuns(filter, signal),
    placeholderData: (before, query) => (isSameList(query?.queryKey[1], filter) ? before : undefined),
  });
}

/** While the response loads, shows another page or search of the list, but never runs in other states. */
function isSameList(before: RunFilter | undefined, now: RunFilter): boolean {
  const unpaged = (filter: RunFilter) => JSON.stringify({ ...filter, pageToken: undefined, q: undefined });
  return before !== undefined && unpaged(before) === unpaged(now);
}

async function readRuns(filter: RunFilter, signal: AbortSignal): Promise<RunPage> {
  const page = await api("GET /api/runs", {
    query: {
      state: filter.states?.join(","),
      network: filter.network,
      tool: filter.tool,
      q: filter.q,
      tag: filter.tag,
      owner: filter.owner,
      archived: filter.archived,
      pinned: filter.pinned === undefined ? undefined : String(filter.pinned),
      since: filter.since,
      until: filter.until,
      page_size: filter.pageSize,
      page_token: filter.pageToken,
    },
    signal,
  });
  return { ...page, runs: page.runs.filter((run) => typeof run !== "string") };
}

export function runQuery(runId: string) {
  return queryOptions({
    queryKey: runKeys.detail(runId),
    queryFn: ({ signal }): Promise<Run> => api("GET /api/runs/{run_id}", { params: { run_id: runId }, signal }),
  });
}

/** A run with all its values, however large. */
export function wholeRunQuery(runId: string) {
  return queryOptions({
    queryKey: runKeys.whole(runId),
    queryFn: ({ signal }): Promise<Run> =>
      api("GET /api/runs/{run_id}", { params: { run_id: runId }, query: { view: "full" }, signal }),
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
    queryKey: runKeys.compared(runId),
    queryFn: async ({ signal, client }): Promise<Run> => {
      const run = await client.fetchQuery({ ...runQuery(runId), staleTime: 0 });
      const { inputs_bytes: inputs = 0, outputs_bytes: outputs = 0 } = run.omitted ?? {};
      const isShort = run.omitted === undefined || inputs + outputs > MAX_COMPARED_BYTES;
      const whole = isShort
        ? run
        : await api("GET /api/runs/{run_id}", { params: { run_id: runId }, query: { view: "full" }, signal });
      if (!whole.partial || whole.outputs !== null || outputs > 0) return whole;
      return { ...whole, outputs: (await client.fetchQuery(runOutputsQuery(runId))).outputs };
    },
  });
}

/** The outputs of a run; for a failed or aborted run, the outputs of its finished jobs. */
export function runOutputsQuery(runId: string) {
  return queryOptions({
    queryKey: runKeys.outputs(runId),
    queryFn: ({ signal }): Promise<RunOutputs> =>
      api("GET /api/runs/{run_id}/outputs", { params: { run_id: runId }, signal }),
  });
}

export interface EventPage {
  readonly events: readonly WeftEvent[];
  readonly last_seq: number;
  readonly next_page_token: string;
}

/** The events of a run, oldest first, 200 at a time. */
export function runEventsQuery(runId: string) {
  return infiniteQueryOptions({
    queryKey: eventKeys.ofRun(runId),
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

/**
 * All samples of a run with the states of their jobs. The cached states of an open run are shown while they are read
 * again after the end.
 */
export function samplesQuery(runId: string, isOpen: boolean) {
  return queryOptions({
    queryKey: ["run-samples", runId, isOpen],
    queryFn: ({ signal }) => readAll(runId, signal),
    placeholderData: (before, query) => (query?.queryKey[1] === runId ? before : undefined),
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
      query: { page_size: PAGE_SIZE, page_token: pageToken },
      signal,
    });
    samples.push(...page.samples);
    ({ steps } = page);
    total = Math.max(total, page.total ?? 0, samples.length);
    pageToken = page.next_page_token || undefined;
  } while (pageToken !== undefined && samples.length < MAX_SAMPLES);
  return { steps, samples, total };
}
