import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Engine } from "../src/port/engine.ts";
import { caller, endedRun, untilRun } from "../src/testing/drive-runs.ts";
import { executor, open, serve, start } from "./gated-runs.ts";
import { runsOf } from "../src/testing/ask-runs.ts";

const states = (engine: Engine, runId: string) =>
  engine.runs
    .jobs(caller, runId, {})
    .jobs.map(({ state, state_reason: reason }) => `${state} ${reason?.message ?? ""}`.trim());

describe("a run that is paused", () => {
  it("lets running jobs end, starts nothing, and continues when it is resumed", async () => {
    const { engine } = await serve();
    const runId = await start(engine, ["a1", "a2"]);
    await untilRun(engine, runId, ({ job_counts: counts }) => counts.RUNNING === 1);
    const paused = await runsOf(engine).pause(caller, runId);
    assert.deepEqual([paused.state, paused.state_reason?.code], ["PAUSED", "WAITING"]);
    assert.match(paused.state_reason?.message ?? "", /^paused by ann: running jobs will finish/);
    assert.equal((await runsOf(engine).pause(caller, runId)).revision, paused.revision, "twice is the same as once");
    open("a1");
    open("a2");
    await untilRun(engine, runId, ({ job_counts: counts }) => counts.COMPLETE === 1);
    // Another run gets the slot that is free now.
    const other = await start(engine, ["a1"]);
    await endedRun(engine, other);
    assert.deepEqual(states(engine, runId), ["COMPLETE", "QUEUED its run is paused"]);
    const resumed = await runsOf(engine).resume(caller, runId);
    assert.equal(resumed.state, "RUNNING");
    const ended = await endedRun(engine, runId);
    assert.deepEqual([ended.state, ended.state_reason], ["COMPLETE", null]);
    await assert.rejects(runsOf(engine).pause(caller, runId), { code: "conflict", message: /has ended \(COMPLETE\)/ });
    await assert.rejects(runsOf(engine).resume(caller, runId), { code: "conflict" });
  });

  it("stays paused for the next server, which still reattaches running jobs", async () => {
    const first = await serve();
    const runId = await start(first.engine, ["b1", "b2"]);
    await untilRun(first.engine, runId, ({ job_counts: counts }) => counts.RUNNING === 1);
    await runsOf(first.engine).pause(caller, runId);
    await first.engine.stop("detach");
    const { engine } = await serve(first.name);
    assert.equal(engine.runs.get(caller, runId).state, "PAUSED");
    open("b1");
    open("b2");
    const waiting = await untilRun(engine, runId, ({ job_counts: counts }) => counts.COMPLETE === 1);
    assert.deepEqual([waiting.state, waiting.job_counts], ["PAUSED", { COMPLETE: 1, QUEUED: 1 }]);
    await runsOf(engine).resume(caller, runId);
    await untilRun(engine, runId, ({ state }) => state === "COMPLETE");
  });

  it("can be aborted, and does not delay a drain", async () => {
    const { engine, name } = await serve();
    const [aborted, left] = [await start(engine, ["c1", "c2"]), await start(engine, ["c3"])];
    for (const id of [aborted, left]) await runsOf(engine).pause(caller, id);
    await engine.runs.abort(caller, aborted, 20_000);
    const canceled = await endedRun(engine, aborted);
    assert.equal(canceled.state, "CANCELED");
    await assert.rejects(runsOf(engine).resume(caller, aborted), { code: "conflict" });
    await engine.stop("drain");
    const next = await serve(name);
    assert.equal(next.engine.runs.get(caller, left).state, "PAUSED");
    open("c3");
    await runsOf(next.engine).resume(caller, left);
    await untilRun(next.engine, left, ({ state }) => state === "COMPLETE");
  });

  it("begins when it is resumed if it was paused before its start", async () => {
    const { engine } = await serve();
    const runId = await start(engine, ["a1"]);
    await runsOf(engine).pause(caller, runId);
    const resumed = await runsOf(engine).resume(caller, runId);
    assert.ok(["QUEUED", "RUNNING"].includes(resumed.state), resumed.state);
    const ended = await endedRun(engine, runId);
    assert.ok(ended.state === "COMPLETE" && ended.start_time !== null);
  });
});

it("starts the one of two waiting runs with the higher priority first", async () => {
  const { engine } = await serve();
  const first = await start(engine, ["d1"]);
  await untilRun(engine, first, ({ job_counts: counts }) => counts.RUNNING === 1);
  const low = await start(engine, ["d2"], { priority: -1 });
  const high = await start(engine, ["d2"], { priority: 1 });
  // No event tells that a prepared job waits for a slot.
  while ((await engine.serverInfo(caller)).jobs_waiting < 2) await pause(10);
  assert.deepEqual(states(engine, low), [
    "QUEUED waiting for a slot: 1 job is running; 1 job of 1 run with a higher priority goes first",
  ]);
  open("d2");
  open("d1");
  await Promise.all([low, high].map((id) => endedRun(engine, id)));
  // The events do not tell: a slot is free when a program has ended, and its job is recorded later.
  const ids = new Set([first, high, low]);
  const started = executor.launches.map(({ runId }) => runId).filter((id) => ids.has(id));
  assert.deepEqual(started, [first, high, low]);
});
