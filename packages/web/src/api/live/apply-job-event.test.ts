import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventType, WeftEvent } from "@weft/shared/records/event-record.ts";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { applyJobEvent } from "./apply-job-event.ts";

const job: JobSummary = {
  job_id: "smooth.1",
  run_id: "r1",
  url: "",
  step: "smooth",
  sample_id: null,
  scatter_index: [],
  state: "QUEUED",
  phase: "waiting",
  state_reason: null,
  attempt: 1,
  exit_code: null,
  signal: null,
  cached: false,
  timing: {
    queued_at: "2026-11-21T00:00:00.000Z",
    started_at: null,
    ended_at: null,
    queued_ms: null,
    running_ms: null,
  },
};

function event(type: EventType, second: number, data: Record<string, unknown> = {}, jobId = "smooth.1"): WeftEvent {
  return {
    seq: second,
    type,
    time: `2026-11-21T00:00:0${second}.000Z`,
    run_id: "r1",
    job_id: jobId,
    actor: "test",
    data,
  };
}

test("a whole life, each event applied twice", () => {
  const life = [
    event("job.image", 0, { engine: "podman", image: "debian:12" }),
    event("job.started", 1),
    event("job.running", 2),
    event("job.exited", 4, { exit_code: 3, signal: null }),
    event("job.ended", 5, {
      state: "EXECUTOR_ERROR",
      exit_code: 3,
      signal: null,
      reason: { code: "TOOL_EXIT", message: "no" },
    }),
  ];
  const states: string[] = [];
  let now = job;
  for (const happened of life) {
    now = applyJobEvent(now, happened);
    assert.equal(applyJobEvent(now, happened), now);
    states.push(`${now.state} ${now.phase} ${now.exit_code}`);
  }
  assert.deepEqual(states, [
    "INITIALIZING staging null",
    "INITIALIZING staging null",
    "RUNNING running null",
    "RUNNING collecting 3",
    "EXECUTOR_ERROR ended 3",
  ]);
  assert.deepEqual(now.timing, {
    ...job.timing,
    started_at: "2026-11-21T00:00:01.000Z",
    queued_ms: 1000,
    ended_at: "2026-11-21T00:00:05.000Z",
    running_ms: 4000,
  });
  assert.equal(now.state_reason?.message, "no");
});

test("applyJobEvent ignores other jobs, late events and unknown states", () => {
  const cases: [JobSummary, WeftEvent][] = [
    [job, event("job.started", 1, {}, "smooth.2")],
    [{ ...job, state: "COMPLETE", phase: "ended" }, event("job.running", 1)],
    [job, event("job.ended", 1, { state: "PAUSED" })],
    [job, event("job.late", 1, { state: "COMPLETE" })],
  ];
  for (const [record, happened] of cases) assert.equal(applyJobEvent(record, happened), record);
});

test("what a job waited for is forgotten when it starts", () => {
  const waiting: JobSummary = { ...job, state_reason: { code: "WAITING", message: "waiting for 2 cores, 1 free" } };
  assert.equal(applyJobEvent(waiting, event("job.started", 1)).state_reason, null);
});

test("a job that is tried again waits, and what comes late of its first attempt changes nothing", () => {
  const failed = [event("job.started", 1, { attempt: 1 }), event("job.running", 2)].reduce(applyJobEvent, job);
  const waiting = { code: "WAITING", message: "attempt 1 failed" };
  const retrying = event("job.retrying", 3, { attempt: 1, waiting });
  const now = applyJobEvent(failed, retrying);
  assert.deepEqual([now.state, now.attempt, now.state_reason, now.timing.started_at], ["QUEUED", 2, waiting, null]);
  for (const late of [retrying, event("job.started", 1, { attempt: 1 }), event("job.running", 2)])
    assert.equal(applyJobEvent(now, late), now);
  assert.equal(applyJobEvent(now, event("job.started", 4, { attempt: 2 })).state, "INITIALIZING");
});

test("a job that takes over a result is marked with its start, any other is not", () => {
  const started = (decision: string) => applyJobEvent(job, event("job.started", 1, { cache: { decision } }));
  assert.deepEqual([started("hit").cached, started("miss").cached, started("off").cached], [true, false, false]);
  const ended = applyJobEvent(started("hit"), event("job.ended", 1, { state: "COMPLETE" }));
  assert.deepEqual([ended.state, ended.cached], ["COMPLETE", true]);
});

for (const type of ["job.fetching", "job.image"] as const)
  test(`a job says what it fetches (${type}) until it starts`, () => {
    const reason = { code: "STAGE_IN", message: "Fetching https://a/b (1 of 2 KiB)" };
    const fetching = event(type, 1, { reason });
    const now = applyJobEvent(job, fetching);
    assert.deepEqual([now.state, now.phase, now.state_reason], ["INITIALIZING", "staging", reason]);
    assert.equal(applyJobEvent(now, fetching), now);
    const started = applyJobEvent(now, event("job.started", 2));
    assert.deepEqual([started.state_reason, started.timing.started_at], [null, "2026-11-21T00:00:02.000Z"]);
    assert.equal(applyJobEvent(started, fetching), started);
  });
