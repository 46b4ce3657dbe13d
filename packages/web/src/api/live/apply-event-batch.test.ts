import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import { type EventPage, eventsKey } from "../queries/run-queries.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { invalidateRoutes, routeKey } from "../route-query.ts";
import { appendToPages, applyEventBatch, applyPageEvent } from "./apply-event-batch.ts";

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

test("a list that is being loaded must be loaded again after an event", async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { networkMode: "always", retry: false } } });
  const answer = Promise.withResolvers<EventPage>();
  const queryKey = eventsKey("r1");
  const read = cache.prefetchInfiniteQuery({ queryKey, queryFn: () => answer.promise, initialPageParam: "" });
  assert.equal(appendToPages(cache, queryKey, [event(2)]), false);
  answer.resolve({ events: [event(1)], last_seq: 1, next_page_token: "" });
  await read;
  assert.equal(appendToPages(cache, queryKey, [event(2)]), true);
  const data = cache.getQueryData<{ readonly pages: readonly EventPage[] }>(queryKey);
  assert.deepEqual(data?.pages[0]?.events, [event(1), event(2)]);
  cache.clear();
});

/** The requested keys after some events, as JSON. */
function staleAfter(...events: readonly WeftEvent[]): readonly string[] {
  const keys: string[] = [];
  applyEventBatch(new QueryClient(), events, (key) => keys.push(JSON.stringify(key)));
  return keys;
}

const ofRun = (route: RouteId, id: string) => JSON.stringify(routeKey(route, { params: { run_id: id } }));

test("events of a job reload its run once, and no large record", () => {
  const keys = staleAfter(
    partialEvent("job.started", { run_id: "r1" }),
    partialEvent("job.ended", { run_id: "r1" }),
    partialEvent("job.ended", { run_id: "r2" }),
  );
  assert.deepEqual(keys, [...new Set(keys)]);
  for (const id of ["r1", "r2"]) assert.ok(keys.includes(ofRun("GET /api/runs/{run_id}", id)));
  assert.ok(keys.includes(JSON.stringify(routeKey("GET /api/runs"))));
  assert.ok(!keys.includes(ofRun("GET /api/runs/{run_id}/outputs", "r1")));
});

test("the end of a run reloads its results, its files and the catalog", () => {
  const keys = staleAfter(partialEvent("run.ended", { run_id: "r1" }));
  assert.ok(keys.includes(ofRun("GET /api/runs/{run_id}/outputs", "r1")));
  assert.ok(keys.includes(ofRun("GET /api/runs/{run_id}/lineage", "r1")));
  assert.ok(keys.includes(JSON.stringify(routeKey("GET /api/networks"))));
});

test("ignores an event of a newer server", () => {
  const unknown = { ...partialEvent("server.started", {}), type: "server.danced" } as unknown as WeftEvent; // not declared here
  assert.deepEqual(staleAfter(unknown), []);
});

test("a key has only the parts that the client sends, and a shorter request names all longer ones", async () => {
  const list = routeKey("GET /api/runs", { query: { q: "", page_token: undefined, page_size: 10 } });
  assert.deepEqual(list, ["GET /api/runs", { query: { page_size: 10 } }]);
  assert.deepEqual(routeKey("GET /api/networks/{id}", { params: { id: "a" }, query: { version: undefined } }), [
    "GET /api/networks/{id}",
    { params: { id: "a" } },
  ]);
  const cache = new QueryClient();
  const job = routeKey("GET /api/runs/{run_id}/jobs/{job_id}", { params: { run_id: "r1", job_id: "j1" } });
  cache.setQueryData(job, "job");
  cache.setQueryData(list, "list");
  await cache.invalidateQueries({
    queryKey: routeKey("GET /api/runs/{run_id}/jobs/{job_id}", { params: { run_id: "r1" } }),
  });
  await invalidateRoutes(cache, "GET /api/runs");
  assert.deepEqual([cache.getQueryState(job)?.isInvalidated, cache.getQueryState(list)?.isInvalidated], [true, true]);
  cache.clear();
});
