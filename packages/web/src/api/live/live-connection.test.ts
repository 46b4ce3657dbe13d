import assert from "node:assert/strict";
import { describe, it, test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import { eventsKey, type EventPage } from "../queries/run-queries.ts";
import { invalidateRoutes, routeKey } from "../route-query.ts";
import { RefetchScheduler, appendToPages, applyEventBatch, applyPageEvent, readAgain } from "./live-connection.ts";

/** A record whose reads the test answers. */
function watched(t: TestContext) {
  const cache = new QueryClient({ defaultOptions: { queries: { networkMode: "always", retry: false } } });
  const reads: PromiseWithResolvers<string>[] = [];
  const query = {
    queryKey: ["run", "1"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    },
  };
  const answer = async (place: number, text: string) => {
    reads[place]?.resolve(text);
    await setImmediate();
  };
  const show = () => t.after(new QueryObserver(cache, query).subscribe(() => {}));
  t.after(() => cache.clear());
  return { cache, query, reads, answer, show, known: () => cache.getQueryData(query.queryKey) };
}

describe("readAgain", () => {
  it("repeats a first read that was requested before the change and answered after it", async (t) => {
    const { cache, reads, answer, show, known } = watched(t);
    show();
    const done = readAgain(cache, { queryKey: ["run"] });
    await answer(0, "before the change");
    assert.equal(reads.length, 2);
    await answer(1, "after the change");
    await done;
    assert.equal(known(), "after the change");
  });

  it("marks queries that no page shows, so that they are read when one does", async (t) => {
    const { cache, query, reads, answer, show, known } = watched(t);
    void cache.prefetchQuery(query);
    const done = readAgain(cache);
    await answer(0, "before the change");
    await done;
    assert.equal(reads.length, 1);
    show();
    await answer(1, "after the change");
    assert.equal(known(), "after the change");
  });

  it("repeats a first read that fails, and does not reject", async (t) => {
    const { cache, reads, answer, show, known } = watched(t);
    show();
    const done = readAgain(cache);
    reads[0]?.reject(new Error("not there yet"));
    await setImmediate();
    await answer(1, "there");
    await done;
    assert.equal(known(), "there");
  });

  it("reads a known record once", async (t) => {
    const { cache, reads, answer, show, known } = watched(t);
    show();
    await answer(0, "before the change");
    const done = readAgain(cache);
    await answer(1, "after the change");
    await done;
    assert.deepEqual([known(), reads.length], ["after the change", 2]);
  });
});

function setUp() {
  const reads: string[] = [];
  const timers: (() => void)[] = [];
  const subject = new RefetchScheduler<string>({
    refetch: (key) => (reads.push(key), Promise.resolve()),
    schedule: (_delayMs, run) => void timers.push(run),
    intervalMs: 1000,
  });
  return { subject, reads, timers };
}

test("many requests within an interval are two reads: the first and one at its end", async () => {
  const { subject, reads, timers } = setUp();
  for (let n = 0; n < 50; n += 1) subject.request("run");
  await Promise.resolve();
  assert.deepEqual(reads, ["run"]);
  timers.shift()?.();
  await Promise.resolve();
  assert.deepEqual(reads, ["run", "run"]);
  timers.shift()?.();
  assert.equal(timers.length, 0);
  assert.deepEqual(reads, ["run", "run"]);
});

test("keys do not wait for each other", () => {
  const { subject, reads } = setUp();
  subject.request("a");
  subject.request("b");
  assert.deepEqual(reads, ["a", "b"]);
});

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
