import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventData, EventOf, EventType, WeftEvent } from "@weft/shared/events/event.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import type { AllJobs } from "../queries/all-jobs.ts";
import { foldJobs } from "./fold-jobs.ts";

const START = Date.parse("2026-11-21T10:00:00.000Z");

function event<Type extends `job.${string}` & EventType>(
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
  event("job.queued", "a", 0),
  event("job.started", "a", 1, { attempt: 1, cores: 2, ram_bytes: 4096 }),
  event("job.running", "a", 2),
  event("job.exited", "a", 3),
  event("job.ended", "a", 4, { state: "EXECUTOR_ERROR", max_rss_bytes: 2048 }),
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
  const ready = [event("job.queued", "a", 0), event("job.started", "a", 1, { attempt: 1, ahead: true })];
  const running = event("job.running", "a", 2, { late_ms: 100 });
  const exited = event("job.exited", "a", 3, { exit_code: 0, late_ms: 100 });
  const [lasting] = foldJobs(empty, [...ready, running, exited]).jobs;
  assert.deepEqual([lasting?.startedMs, lasting?.exitedMs], [START + 1900, START + 2900]);
  const ended = event("job.ended", "a", 3, { state: "COMPLETE", ran_ms: 40 });
  const [short] = foldJobs(empty, [...ready, ended]).jobs;
  assert.deepEqual([short?.state, short?.startedMs, short?.endedMs], ["COMPLETE", START + 2960, START + 3000]);
});

test("an event about an unknown job has no effect", () => {
  const data = foldJobs(empty, life);
  assert.deepEqual(foldJobs(data, [event("job.running", "other", 9)]), data);
  assert.equal(foldJobs(data, []), data);
});

test("a retried job waits, and late events of its first attempt have no effect", () => {
  const failed = foldJobs(empty, life.slice(0, 4));
  const retrying = event("job.retrying", "a", 4, { attempt: 1 });
  const waiting = foldJobs(failed, [retrying]);
  const [job] = waiting.jobs;
  assert.deepEqual([job?.state, job?.attempt, job?.startedMs, job?.exitedMs], ["QUEUED", 2, undefined, undefined]);
  assert.deepEqual(foldJobs(waiting, [...life.slice(0, 4), retrying]), waiting);
  const [again] = foldJobs(waiting, [event("job.started", "a", 6, { attempt: 2 })]).jobs;
  assert.deepEqual([again?.state, again?.startedMs], ["INITIALIZING", START + 6000]);
});

test("a job that starts again without a failed attempt is shown as its new attempt", () => {
  const [job] = foldJobs(empty, [...life.slice(0, 3), event("job.started", "a", 5, { attempt: 2, ahead: true })]).jobs;
  assert.deepEqual([job?.state, job?.attempt, job?.startedMs], ["QUEUED", 2, undefined]);
});

test("a job that waits for its image has not started; one that reuses a result is marked", () => {
  const waiting = foldJobs(empty, [event("job.queued", "a", 0), event("job.image", "a", 1)]);
  assert.deepEqual([waiting.jobs[0]?.state, waiting.jobs[0]?.startedMs], ["INITIALIZING", undefined]);
  const cache = { decision: "hit", reason: "", diff: [] } as const;
  const [started] = foldJobs(waiting, [event("job.started", "a", 2, { attempt: 1, cache })]).jobs;
  assert.deepEqual([started?.state, started?.startedMs, started?.cached], ["INITIALIZING", START + 2000, true]);
});

test("the end of a run ends the jobs without an event for their end", () => {
  const ended = { seq: 9, time: new Date(START + 9000).toISOString() };
  const over = partialEvent("run.ended", ended as Partial<EventOf<"run.ended">>, {});
  const started = event("job.started", "b", 1, { attempt: 1 });
  const running = [event("job.queued", "b", 0), started, event("job.running", "b", 2)];
  const { jobs } = foldJobs(empty, [...life, ...running, over]);
  const ends = jobs.map(({ id, state, endedMs = 0 }) => `${id} ${state} ${endedMs - START}`);
  assert.deepEqual(ends, ["a EXECUTOR_ERROR 4000", "b CANCELED 9000"]);
});
