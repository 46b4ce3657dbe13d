import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventType, WeftEvent } from "@weft/shared/records/event-record.ts";
import type { TimelineData } from "../timeline-data.ts";
import { applyTimelineEvents } from "./apply-timeline-events.ts";

const START = Date.parse("2026-11-21T10:00:00.000Z");

function event(type: EventType, job_id: string, second: number, data: Record<string, unknown> = {}): WeftEvent {
  const time = new Date(START + second * 1000).toISOString();
  return { seq: second + 1, type, time, run_id: "r", job_id, step: "align", actor: "engine", data };
}

const life: readonly WeftEvent[] = [
  event("job.queued", "a", 0),
  event("job.started", "a", 1),
  event("job.running", "a", 2),
  event("job.exited", "a", 3),
  event("job.ended", "a", 4, { state: "EXECUTOR_ERROR" }),
];
const empty: TimelineData = { jobs: [], total: 0 };

test("the whole life of a job", () => {
  const expected = ["QUEUED", "INITIALIZING", "RUNNING", "RUNNING", "EXECUTOR_ERROR"];
  for (const [place, state] of expected.entries()) {
    const { jobs, total } = applyTimelineEvents(empty, life.slice(0, place + 1));
    assert.equal(jobs[0]?.state, state);
    assert.equal(total, 1);
  }
  const [job] = applyTimelineEvents(empty, life).jobs;
  assert.deepEqual(job, {
    id: "a",
    step: "align",
    sample: null,
    state: "EXECUTOR_ERROR",
    queuedMs: START,
    startedMs: START + 1000,
    exitedMs: START + 3000,
    endedMs: START + 4000,
  });
});

test("one by one, at once or twice: the same", () => {
  const atOnce = applyTimelineEvents(empty, life);
  assert.deepEqual(
    life.reduce((data, one) => applyTimelineEvents(data, [one]), empty),
    atOnce,
  );
  assert.deepEqual(applyTimelineEvents(atOnce, life), atOnce);
});

test("what is not about a known job changes nothing", () => {
  const data = applyTimelineEvents(empty, life);
  assert.deepEqual(applyTimelineEvents(data, [event("job.running", "other", 9)]), data);
  assert.equal(applyTimelineEvents(data, []), data);
});
