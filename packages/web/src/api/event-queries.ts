import { infiniteQueryOptions } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { api } from "./client.ts";

export interface EventPage {
  readonly events: readonly WeftEvent[];
  readonly last_seq: number;
  readonly next_page_token: string;
}

export const eventKeys = { ofRun: (runId: string) => ["event-list", runId] as const };

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
