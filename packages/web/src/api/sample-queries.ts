import { queryOptions } from "@tanstack/react-query";
import type { SampleRow } from "@weft/shared/records/sample-record.ts";
import { api } from "./client.ts";

const PAGE_SIZE = 5000;
/** Maximum number of samples kept; beyond it, the page says so. */
const MAX_SAMPLES = 50_000;
/** How often the states of all samples are refreshed while the run is open; more often with fewer samples. */
const REFETCH_MS = 3000;
const REFETCH_MANY_MS = 15_000;
const MANY = 1000;

export interface RunSamples {
  readonly steps: readonly string[];
  readonly samples: readonly SampleRow[];
  /** Total number of samples of the run, of which at most MAX_SAMPLES are kept. */
  readonly total: number;
}

/**
 * All samples of a run with the states of their jobs. What is known of an open run is shown while it is read again
 * after the end.
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
