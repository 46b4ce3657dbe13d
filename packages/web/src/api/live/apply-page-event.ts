import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { EventPage } from "../event-queries.ts";

/** Appends events to the list of a run's events. False if it is being read: an answer that is on its way may lack them. */
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
