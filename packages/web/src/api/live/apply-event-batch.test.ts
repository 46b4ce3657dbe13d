import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import type { EventPage } from "../run-queries.ts";
import { appendToPages, applyPageEvent } from "./apply-event-batch.ts";

function event(seq: number): WeftEvent {
  return partialEvent("job.running", { seq });
}

function seqs(nextPageToken: string, happened: WeftEvent): number[] {
  const data = {
    pageParams: [""],
    pages: [{ events: [event(1), event(2)], last_seq: 2, next_page_token: nextPageToken }],
  };
  return applyPageEvent(data, happened).pages.flatMap((page) => page.events.map(({ seq }) => seq));
}

test("applyPageEvent appends at the end of the log only, and once", () => {
  assert.deepEqual(seqs("", event(5)), [1, 2, 5]);
  assert.deepEqual(seqs("", event(2)), [1, 2]);
  assert.deepEqual(seqs("more", event(5)), [1, 2]);
});

test("a list that is being read has to be read again after an event", async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { networkMode: "always", retry: false } } });
  const answer = Promise.withResolvers<EventPage>();
  const queryKey = ["event-list", "r1"];
  const read = cache.prefetchInfiniteQuery({ queryKey, queryFn: () => answer.promise, initialPageParam: "" });
  assert.equal(appendToPages(cache, queryKey, [event(2)]), false);
  answer.resolve({ events: [event(1)], last_seq: 1, next_page_token: "" });
  await read;
  assert.equal(appendToPages(cache, queryKey, [event(2)]), true);
  const data = cache.getQueryData<{ readonly pages: readonly EventPage[] }>(queryKey);
  assert.deepEqual(data?.pages[0]?.events, [event(1), event(2)]);
  cache.clear();
});
