import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventType, WeftEvent } from "@weft/shared/records/event-record.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { applyRunEvent } from "./apply-run-event.ts";

const run: RunSummary = {
  run_id: "r1",
  url: "",
  run: "",
  status: "",
  name: "test",
  state: "QUEUED",
  outcome: null,
  state_reason: null,
  created_at: "2026-11-21T00:00:00.000Z",
  start_time: null,
  end_time: null,
  duration_ms: null,
  revision: 1,
  owner: "test",
  tags: {},
  progress: { jobs_total: 1, jobs_total_is_final: true, jobs_done: 0, jobs_cached: 0, fraction: 0, eta: null },
  job_counts: {},
};

function event(type: EventType, data: Record<string, unknown> = {}, runId = "r1"): WeftEvent {
  return { seq: 1, type, time: "2026-11-21T00:00:05.000Z", run_id: runId, actor: "test", data };
}

const reason = { code: "TOOL_EXIT", message: "smooth ended with exit code 1" };

test("applyRunEvent", () => {
  const cases: [Partial<RunSummary>, WeftEvent, Partial<RunSummary>][] = [
    [{}, event("run.started"), { state: "RUNNING", start_time: "2026-11-21T00:00:05.000Z" }],
    [{ state: "RUNNING" }, event("run.canceling"), { state: "CANCELING" }],
    [
      { state: "RUNNING", start_time: "2026-11-21T00:00:01.000Z" },
      event("run.ended", { state: "EXECUTOR_ERROR", outcome: "failure", reason }),
      { state: "EXECUTOR_ERROR", outcome: "failure", duration_ms: 4000 },
    ],
  ];
  for (const [before, happened, after] of cases) {
    const folded = applyRunEvent({ ...run, ...before }, happened);
    assert.deepEqual({ ...folded, ...after }, folded);
    assert.equal(applyRunEvent(folded, happened), folded, "twice is the same as once");
  }
});

test("applyRunEvent leaves alone what the event does not concern", () => {
  const cases: [Partial<RunSummary>, WeftEvent][] = [
    [{}, event("run.started", {}, "another")],
    [{ state: "COMPLETE" }, event("run.started")],
    [{ state: "CANCELED" }, event("run.canceling")],
    [{ state: "RUNNING" }, event("run.ended", { state: "NO SUCH STATE" })],
    [{ state: "RUNNING" }, event("job.queued")],
  ];
  for (const [before, happened] of cases) {
    const record = { ...run, ...before };
    assert.equal(applyRunEvent(record, happened), record);
  }
});

test("what a run fetches is told as it comes, and no longer than that", () => {
  const half = { code: "STAGE_IN", message: "Fetching https://a/b (1 of 2 KiB)" };
  const whole = { code: "STAGE_IN", message: "Fetching https://a/b (2 of 2 KiB)" };
  const first = applyRunEvent(run, event("run.fetching", { reason: half }));
  assert.deepEqual([first.state, first.state_reason], ["INITIALIZING", half]);
  assert.equal(applyRunEvent(first, event("run.fetching", { reason: half })), first);
  const second = applyRunEvent(first, event("run.fetching", { reason: whole }));
  assert.deepEqual(second.state_reason, whole);
  const fetched = applyRunEvent(second, event("run.fetched", { files: [] }));
  assert.equal(fetched.state_reason, null);
  assert.equal(applyRunEvent(fetched, event("run.fetched", { files: [] })), fetched);
  const started = applyRunEvent(second, event("run.started"));
  assert.deepEqual([started.state, started.state_reason], ["RUNNING", null]);
});

test("an event of a download that is over changes nothing", () => {
  const old = event("run.fetching", { reason: { code: "STAGE_IN", message: "Fetching https://a/b" } });
  for (const state of ["RUNNING", "CANCELING", "COMPLETE"] as const) {
    const later = { ...run, state };
    assert.equal(applyRunEvent(later, old), later);
  }
});
