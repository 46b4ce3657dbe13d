import assert from "node:assert/strict";
import { describe, it, test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { EventData, EventOf, EventType, WeftEvent } from "@weft/shared/events/event.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import type { AllJobs } from "../queries/all-jobs.ts";
import { eventsKey, type EventPage } from "../queries/run-queries.ts";
import { invalidateRoutes, routeKey } from "../route-query.ts";
import {
  RefetchScheduler,
  appendToPages,
  applyEventBatch,
  applyPageEvent,
  foldJobs,
  readAgain,
} from "./live-connection.ts";

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

const START = Date.parse("2026-11-21T10:00:00.000Z");

function jobEvent<Type extends `job.${string}` & EventType>(
  type: Type,
  job_id: string,
  second: number,
  data: Partial<EventData<Type>> = {},
): WeftEvent {
  const head = { seq: second + 1, time: new Date(START + second * 1000).toISOString(), job_id, step: "align" };
  // Every event of a job has these fields.
  return partialEvent(type, head as Partial<EventOf<Type>>, data);
}

const life: readonly WeftEvent[] = [
  jobEvent("job.queued", "a", 0),
  jobEvent("job.started", "a", 1, { attempt: 1, cores: 2, ram_bytes: 4096 }),
  jobEvent("job.running", "a", 2),
  jobEvent("job.exited", "a", 3),
  jobEvent("job.ended", "a", 4, { state: "EXECUTOR_ERROR", max_rss_bytes: 2048 }),
];
const empty: AllJobs = { jobs: [], total: 0 };

test("folds the whole life of a job", () => {
  const expected = ["QUEUED", "INITIALIZING", "RUNNING", "RUNNING", "EXECUTOR_ERROR"];
  for (const [place, state] of expected.entries()) {
    const { jobs, total } = foldJobs(empty, life.slice(0, place + 1));
    assert.equal(jobs[0]?.state, state);
    assert.equal(total, 1);
  }
  const [job] = foldJobs(empty, life).jobs;
  assert.deepEqual(job, {
    ...{ id: "a", step: "align", sample: null, state: "EXECUTOR_ERROR", phase: "ended", attempt: 1, cached: false },
    ...{ queuedMs: START, startedMs: START + 1000, exitedMs: START + 3000, endedMs: START + 4000 },
    ...{ cores: 2, ramBytes: 4096, rssBytes: 2048 },
  });
});

test("gives one result for events one by one, at once or twice", () => {
  const atOnce = foldJobs(empty, life);
  const oneByOne = life.reduce((data, one) => foldJobs(data, [one]), empty);
  assert.deepEqual(oneByOne, atOnce);
  assert.deepEqual(foldJobs(atOnce, life), atOnce);
});

test("events that were recorded late contain the actual time, and the end of a short job contains its start", () => {
  const ready = [jobEvent("job.queued", "a", 0), jobEvent("job.started", "a", 1, { attempt: 1, ahead: true })];
  const running = jobEvent("job.running", "a", 2, { late_ms: 100 });
  const exited = jobEvent("job.exited", "a", 3, { exit_code: 0, late_ms: 100 });
  const [lasting] = foldJobs(empty, [...ready, running, exited]).jobs;
  assert.deepEqual([lasting?.startedMs, lasting?.exitedMs], [START + 1900, START + 2900]);
  const ended = jobEvent("job.ended", "a", 3, { state: "COMPLETE", ran_ms: 40 });
  const [short] = foldJobs(empty, [...ready, ended]).jobs;
  assert.deepEqual([short?.state, short?.startedMs, short?.endedMs], ["COMPLETE", START + 2960, START + 3000]);
});

test("an event about an unknown job has no effect", () => {
  const data = foldJobs(empty, life);
  assert.deepEqual(foldJobs(data, [jobEvent("job.running", "other", 9)]), data);
  assert.equal(foldJobs(data, []), data);
});

test("a retried job waits, and late events of its first attempt have no effect", () => {
  const failed = foldJobs(empty, life.slice(0, 4));
  const retrying = jobEvent("job.retrying", "a", 4, { attempt: 1 });
  const waiting = foldJobs(failed, [retrying]);
  const [job] = waiting.jobs;
  assert.deepEqual([job?.state, job?.attempt, job?.startedMs, job?.exitedMs], ["QUEUED", 2, undefined, undefined]);
  assert.deepEqual(foldJobs(waiting, [...life.slice(0, 4), retrying]), waiting);
  const [again] = foldJobs(waiting, [jobEvent("job.started", "a", 6, { attempt: 2 })]).jobs;
  assert.deepEqual([again?.state, again?.startedMs], ["INITIALIZING", START + 6000]);
});

test("a job that starts again without a failed attempt is shown as its new attempt", () => {
  const [job] = foldJobs(empty, [
    ...life.slice(0, 3),
    jobEvent("job.started", "a", 5, { attempt: 2, ahead: true }),
  ]).jobs;
  assert.deepEqual([job?.state, job?.attempt, job?.startedMs], ["QUEUED", 2, undefined]);
});

test("a job that waits for its image has not started; one that reuses a result is marked", () => {
  const waiting = foldJobs(empty, [jobEvent("job.queued", "a", 0), jobEvent("job.image", "a", 1)]);
  assert.deepEqual([waiting.jobs[0]?.state, waiting.jobs[0]?.startedMs], ["INITIALIZING", undefined]);
  const cache = { decision: "hit", reason: "", diff: [] } as const;
  const [started] = foldJobs(waiting, [jobEvent("job.started", "a", 2, { attempt: 1, cache })]).jobs;
  assert.deepEqual([started?.state, started?.startedMs, started?.cached], ["INITIALIZING", START + 2000, true]);
});

test("the end of a run ends the jobs without an event for their end", () => {
  const ended = { seq: 9, time: new Date(START + 9000).toISOString() };
  const over = partialEvent("run.ended", ended as Partial<EventOf<"run.ended">>, {});
  const started = jobEvent("job.started", "b", 1, { attempt: 1 });
  const running = [jobEvent("job.queued", "b", 0), started, jobEvent("job.running", "b", 2)];
  const { jobs } = foldJobs(empty, [...life, ...running, over]);
  const ends = jobs.map(({ id, state, endedMs = 0 }) => `${id} ${state} ${endedMs - START}`);
  assert.deepEqual(ends, ["a EXECUTOR_ERROR 4000", "b CANCELED 9000"]);
});
