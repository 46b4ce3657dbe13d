import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { CachedRuns, caller } from "./cached-runs.ts";
import { NESTED_NETWORK, NESTED_STEP, nestedExecutor, nestedRun } from "./nested-network.ts";

describe("a network", () => {
  const open = (t: TestContext) => CachedRuns.open(t, NESTED_NETWORK, { executor: nestedExecutor() });
  const ranIn = (runs: CachedRuns, run: { readonly run_id: string }) =>
    runs
      .jobs(run)
      .filter(({ cached }) => !cached)
      .map(({ job_id }) => job_id)
      .sort();

  it("reruns only jobs that a change affects, also in nested networks", async (t) => {
    const runs = await open(t);
    const first = await runs.run(nestedRun(["one", "two"]));
    assert.equal(first.state, "COMPLETE");
    const word = await runs.run(nestedRun(["one", "two"], "y"));
    assert.deepEqual(ranIn(runs, word), ["gather"]);
    const gather = runs.jobs(word).find(({ job_id }) => job_id === "gather");
    assert.equal(gather?.cache?.reason, 'input word: "x" → "y"');
    assert.deepEqual(word.outputs?.["all"] !== first.outputs?.["all"], true);
  });

  it("runs only the jobs of a new sample and the steps that gather them", async (t) => {
    const runs = await open(t);
    await runs.run(nestedRun(["one", "two"]));
    const extended = await runs.run(nestedRun(["three", "one", "two"]));
    assert.deepEqual(ranIn(runs, extended), ["each-0.a", "each-0.b", "gather"]);
    assert.equal(extended.progress.jobs_cached, 4);
    const reasonOf = (jobId: string) => runs.jobs(extended).find(({ job_id }) => job_id === jobId)?.cache?.reason ?? "";
    assert.equal(reasonOf("each-0.a"), "this step for sample three has not run before");
    assert.match(reasonOf("gather"), /input texts: 2 elements → 3 elements/);
  });

  it("stops early if a step produces its earlier outputs: later results are reused", async (t) => {
    const runs = await open(t);
    await runs.run(nestedRun(["one"]));
    // Another document of the step, the same result.
    await runs.close();
    runs.write(
      "catalog/tools/step/1.0.0/step.cwl",
      NESTED_STEP.replace("class:", "label: Step\nclass:").replace("baseCommand: step", "baseCommand: [/bin/step]"),
    );
    await runs.restart();
    const again = await runs.run(nestedRun(["one"]));
    assert.deepEqual(ranIn(runs, again), ["each-0.a", "each-0.b"]);
  });

  it("continues after a stop between the reuse of a result and its record", async (t) => {
    const runs = await open(t);
    await runs.run(nestedRun(["one", "two"]));
    const runId = await runs.start(nestedRun(["two", "one"]));
    await runs.restart("detach");
    const run = await runs.ended(runId);
    assert.deepEqual([run.state, run.progress.jobs_total], ["COMPLETE", 5]);
    assert.deepEqual(ranIn(runs, run), ["gather"]);
    const ends = runs.engine.events
      .page(caller, { runId, pageSize: 500 })
      .events.filter(({ type }) => type === "job.ended");
    assert.equal(new Set(ends.map(({ job_id }) => job_id)).size, ends.length);
  });

  it("can be planned with the decisions of the cache, and nothing is written", async (t) => {
    const runs = await open(t);
    await runs.run(nestedRun(["one", "two"]));
    const before = runs.engine.events.lastSeq;
    const plan = await runs.engine.runs.plan(caller, nestedRun(["three", "one"]));
    assert.deepEqual(
      plan.jobs.map(({ sample_id, cache }) => [sample_id, cache.decision, cache.job?.job_id]),
      [
        ["three", "miss", undefined],
        ["one", "hit", "each-0.a"],
        ["one", "hit", "each-0.b"],
      ],
    );
    const again = await runs.engine.runs.plan(caller, nestedRun(["one", "two"]));
    assert.deepEqual(
      again.jobs.map(({ cache }) => cache.decision),
      ["hit", "hit", "hit", "hit", "hit"],
    );
    assert.ok(again.steps.every(({ jobs_total_is_final: isFinal }) => isFinal));
    const { events } = runs.engine.events.page(caller, { since: before });
    // The first run is measured in the background.
    assert.deepEqual(
      events.filter(({ type }) => type !== "run.measured"),
      [],
    );
  });
});
