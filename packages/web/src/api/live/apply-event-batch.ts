import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { AllJobs } from "../all-jobs.ts";
import { allJobsKey } from "../all-jobs.ts";
import { catalogKeys } from "../catalog-queries.ts";
import { serverKey } from "../client.ts";
import { datasetKeys } from "../dataset-queries.ts";
import { jobKeys } from "../job-queries.ts";
import { lineageKeys } from "../lineage-queries.ts";
import type { EventPage } from "../run-queries.ts";
import { eventKeys, runKeys } from "../run-queries.ts";
import { testKeys } from "../test-queries.ts";
import { foldJobs } from "./fold-jobs.ts";

/**
 * Applies a batch of events to the query cache. Passes changed records to `refetch`, which reads them again at most
 * once a second. Updates in place only what would take many requests to read again: the list of all jobs of a run, and
 * its events.
 */
export function applyEventBatch(
  cache: QueryClient,
  events: readonly WeftEvent[],
  refetch: (key: QueryKey) => void,
): void {
  const byRun = Map.groupBy(events, (event) => event.run_id);
  for (const [runId, own] of byRun) {
    if (runId === null) continue;
    cache.setQueryData<AllJobs>(allJobsKey(runId), (data) => data && foldJobs(data, own));
    if (!appendToPages(cache, eventKeys.ofRun(runId), own)) refetch(eventKeys.ofRun(runId));
  }
  for (const key of staleKeys(events)) refetch(key);
}

/** After these events, the last result of a test may have changed. */
const TEST_EVENTS: ReadonlySet<string> = new Set(["run.tested", "test.refused", "catalog.changed"]);

function staleKeys(events: readonly WeftEvent[]): readonly QueryKey[] {
  const keys: QueryKey[] = [];
  const runIds = new Set(events.flatMap(({ run_id: runId }) => runId ?? []));
  if (runIds.size > 0) keys.push(runKeys.lists, serverKey);
  for (const runId of runIds) keys.push(runKeys.detail(runId), jobKeys.lists(runId), jobKeys.details(runId));
  for (const event of events) {
    if (event.type === "catalog.changed" || event.type === "run.ended") keys.push(catalogKeys.all);
    if (event.type === "run.ended") keys.push(lineageKeys.ofRun(event.run_id), allJobsKey(event.run_id));
    if (event.type === "query.saved" || event.type === "query.removed") keys.push(datasetKeys.queries);
    if (TEST_EVENTS.has(event.type)) keys.push(testKeys.all);
    if (event.type === "server.started" || event.type === "server.stopping") keys.push(serverKey);
  }
  return keys;
}

/** Appends events to the list of a run's events. False if the list is loading: the pending response may lack them. */
export function appendToPages(cache: QueryClient, queryKey: QueryKey, events: readonly WeftEvent[]): boolean {
  cache.setQueryData<InfiniteData<EventPage>>(queryKey, (data) => data && events.reduce(applyPageEvent, data));
  return cache.isFetching({ queryKey, exact: true }) === 0;
}

/** Appends an event to the loaded pages of a run's log if they reach its end and lack the event. */
export function applyPageEvent(data: InfiniteData<EventPage>, event: WeftEvent): InfiniteData<EventPage> {
  const last = data.pages.at(-1);
  if (last === undefined || last.next_page_token !== "") return data;
  if ((last.events.at(-1)?.seq ?? 0) >= event.seq) return data;
  const page = { ...last, events: [...last.events, event], last_seq: event.seq };
  return { ...data, pages: [...data.pages.slice(0, -1), page] };
}
