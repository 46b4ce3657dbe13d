import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Engine } from "../src/port/engine.ts";
import { caller, endedRun, untilRun } from "../src/testing/drive-runs.ts";
import { open, root, serve, start } from "./gated-runs.ts";

const jobs = (engine: Engine, runId: string) =>
  engine.runs.jobs(caller, runId, {}).jobs.map(({ job_id: id }) => engine.runs.job(caller, runId, id));

/**
 * Waits until the second job of a run is ready while the first holds the only slot; returns the folder of its attempt.
 */
async function untilPrepared(engine: Engine, name: string, runId: string): Promise<string> {
  for (;;) {
    const [first, second] = jobs(engine, runId);
    if (first?.state === "RUNNING" && second?.phase === "prepared")
      return join(root, name, "runs", runId, "jobs", `${second.job_id}@1`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("a job that is ready before its turn", () => {
  it("is staged, waits in the queue, and starts at its turn", async () => {
    const { engine, name } = await serve();
    const runId = await start(engine, ["a1", "a2"]);
    const folder = await untilPrepared(engine, name, runId);
    assert.ok(existsSync(join(folder, "out/staged.txt")));
    assert.ok(!existsSync(join(folder, "record")), "nobody has claimed it");
    const waiting = jobs(engine, runId)[1];
    assert.deepEqual([waiting?.state, waiting?.timing.started_at, waiting?.attempts], ["QUEUED", null, []]);
    assert.match(waiting?.state_reason?.message ?? "", /^waiting for a slot/);
    open("a1");
    await untilRun(engine, runId, ({ job_counts: counts }) => counts.COMPLETE === 1 && counts.RUNNING === 1);
    const [first, second] = jobs(engine, runId);
    const [firstEnd, secondStart] = [first?.timing.ended_at ?? "", second?.timing.started_at ?? ""];
    assert.ok(secondStart !== "" && secondStart >= (first?.timing.started_at ?? ""), `${firstEnd} ${secondStart}`);
    open("a2");
    assert.equal((await endedRun(engine, runId)).state, "COMPLETE");
    const { events } = engine.events.page(caller, { runId, pageSize: 500 });
    const ofSecond = events.filter(({ job_id: id }) => id === second?.job_id).map(({ type }) => type);
    // The exit is a separate event if the outputs take long to collect.
    assert.deepEqual(
      ofSecond.filter((type) => type !== "job.exited"),
      ["job.queued", "job.started", "job.running", "job.ended"],
    );
  });

  it("records its start, even if it is too short for separate events", async () => {
    const { engine } = await serve();
    open("s1");
    const runId = await start(engine, ["s1", "s1", "s1"]);
    assert.equal((await endedRun(engine, runId)).state, "COMPLETE");
    const { events } = engine.events.page(caller, { runId, pageSize: 500 });
    for (const { job_id: id, timing } of jobs(engine, runId)) {
      const types = events.filter(({ job_id: of }) => of === id).map(({ type }) => type);
      const always = types.filter((type) => type !== "job.running" && type !== "job.exited");
      assert.deepEqual(always, ["job.queued", "job.started", "job.ended"]);
      assert.ok(timing.started_at !== null && timing.started_at <= (timing.ended_at ?? ""), JSON.stringify(timing));
    }
  });

  it("never starts after an abort, and leaves no folder", async () => {
    const { engine, name } = await serve();
    const runId = await start(engine, ["b1", "b2"]);
    const folder = await untilPrepared(engine, name, runId);
    await engine.runs.abort(caller, runId, 20_000);
    assert.equal((await endedRun(engine, runId)).state, "CANCELED");
    const [, second] = jobs(engine, runId);
    assert.deepEqual([second?.state, second?.timing.started_at], ["CANCELED", null]);
    assert.ok(!existsSync(folder));
  });

  it("never starts after another job has failed, and leaves no folder", async () => {
    const { engine, name } = await serve();
    const runId = await start(engine, ["c1", "c2", "c3"], { on_failure: "finish_running" });
    const folder = await untilPrepared(engine, name, runId);
    open("c1", 3);
    assert.equal((await endedRun(engine, runId)).state, "EXECUTOR_ERROR");
    assert.deepEqual(
      jobs(engine, runId).map(({ state, timing }) => [state, timing.started_at !== null]),
      [
        ["EXECUTOR_ERROR", true],
        ["CANCELED", false],
        ["CANCELED", false],
      ],
    );
    assert.ok(!existsSync(folder));
  });

  it("gives way to a run of higher priority", async () => {
    const { engine, name } = await serve();
    const low = await start(engine, ["d1", "d2"]);
    await untilPrepared(engine, name, low);
    const high = await start(engine, ["d3"], { priority: 1 });
    await untilRun(engine, high, () => jobs(engine, high)[0]?.phase === "prepared");
    open("d1");
    await untilRun(engine, high, ({ job_counts: counts }) => counts.RUNNING === 1);
    assert.equal(jobs(engine, low)[1]?.state, "QUEUED");
    open("d3");
    open("d2");
    assert.equal((await endedRun(engine, low)).state, "COMPLETE");
  });

  it("is prepared again by the next server, which counts no failed attempt", async () => {
    const first = await serve();
    const runId = await start(first.engine, ["e1", "e2"]);
    const folder = await untilPrepared(first.engine, first.name, runId);
    await first.engine.stop("detach");
    const { engine } = await serve(first.name);
    open("e1");
    open("e2");
    await untilRun(engine, runId, ({ state }) => state === "COMPLETE");
    assert.ok(!existsSync(folder), "what was prepared before is gone");
    const [one, two] = jobs(engine, runId);
    assert.deepEqual([one?.attempt, one?.attempts.length], [1, 1]);
    assert.deepEqual([two?.attempt, two?.attempts.map(({ state }) => state)], [2, ["COMPLETE"]]);
  });
});
