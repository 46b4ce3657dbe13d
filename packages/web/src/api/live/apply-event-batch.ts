import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { STALE_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import { type AllJobs, allJobsKey } from "../queries/all-jobs.ts";
import { routeKey } from "../route-query.ts";
import { type EventPage, eventsKey } from "../queries/run-queries.ts";
import { foldJobs } from "./fold-jobs.ts";

/**
 * Applies a batch of events to the query cache. Passes changed records to `refetch`, which reads them again at most
 * once a second. Updates in place only data that would take many requests to read again: the list of all jobs of a run,
 * and its events.
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
    if (!appendToPages(cache, eventsKey(runId), own)) refetch(eventsKey(runId));
  }
  for (const key of staleKeys(events)) refetch(key);
}

/** The answers that the events make stale, each once. A newer server may send events that this page does not know. */
function staleKeys(events: readonly WeftEvent[]): readonly QueryKey[] {
  const keys = new Map<string, QueryKey>();
  for (const { type, run_id: runId } of events)
    for (const route of STALE_ROUTES[type] ?? []) {
      const place = route.includes("{run_id}") ? { params: { run_id: runId } } : {};
      keys.set(JSON.stringify([route, place]), routeKey(route, place));
    }
  return [...keys.values()];
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
