import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { CachedRuns, caller } from "./cached-runs.ts";

const file = (name: string) => ({ class: "File", location: `weft-data://data/${name}` });

describe("a network", () => {
  const STEP = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'cat "$1"; echo "$2"', step]
inputs: { text: { type: File, inputBinding: { position: 1 } }, word: { type: string, inputBinding: { position: 2 } } }
outputs: { out: { type: stdout } }
stdout: $(inputs.text.nameroot).out
`;
  const NESTED = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, SubworkflowFeatureRequirement: {} }
inputs: { texts: "File[]", word: string }
outputs: { all: { type: File, outputSource: gather/out } }
steps:
  each:
    scatter: text
    in: { text: texts }
    out: [out]
    run:
      class: Workflow
      inputs: { text: File }
      outputs: { out: { type: File, outputSource: b/out } }
      steps:
        a: { run: ../../tools/step/1.0.0/step.cwl, in: { text: text, word: { default: a } }, out: [out] }
        b: { run: ../../tools/step/1.0.0/step.cwl, in: { text: a/out, word: { default: b } }, out: [out] }
  gather:
    in: { texts: each/out, word: word }
    out: [out]
    run:
      class: CommandLineTool
      baseCommand: cat
      inputs: { texts: { type: "File[]", inputBinding: {} }, word: string }
      outputs: { out: { type: stdout } }
      stdout: all.txt
`;
  const network = {
    "catalog/tools/step/1.0.0/step.cwl": STEP,
    "catalog/networks/nest/nest.cwl": NESTED,
    "data/one.txt": "one\n",
    "data/two.txt": "two\n",
    "data/three.txt": "three\n",
  };
  const open = (t: TestContext) => CachedRuns.open(t, network);
  const request = (names: readonly string[], word = "x"): CreateRun => ({
    network: "nest",
    inputs: { texts: names.map((name) => file(`${name}.txt`)), word },
  });
  const ranIn = (runs: CachedRuns, run: { readonly run_id: string }) =>
    runs
      .jobs(run)
      .filter(({ cached }) => !cached)
      .map(({ job_id }) => job_id)
      .sort();

  it("runs again only what a change reaches, nested networks included", async (t) => {
    const runs = await open(t);
    const first = await runs.run(request(["one", "two"]));
    assert.equal(first.state, "COMPLETE");
    const word = await runs.run(request(["one", "two"], "y"));
    assert.deepEqual(ranIn(runs, word), ["gather"]);
    const gather = runs.jobs(word).find(({ job_id }) => job_id === "gather");
    assert.equal(gather?.cache?.reason, 'input word: "x" → "y"');
    assert.deepEqual(word.outputs?.["all"] !== first.outputs?.["all"], true);
  });

  it("that is extended by a sample runs its jobs and what gathers them", async (t) => {
    const runs = await open(t);
    await runs.run(request(["one", "two"]));
    const extended = await runs.run(request(["three", "one", "two"]));
    assert.deepEqual(ranIn(runs, extended), ["each-0.a", "each-0.b", "gather"]);
    assert.equal(extended.progress.jobs_cached, 4);
    const reasonOf = (jobId: string) => runs.jobs(extended).find(({ job_id }) => job_id === jobId)?.cache?.reason ?? "";
    assert.equal(reasonOf("each-0.a"), "nothing of this step with the sample three has run before");
    assert.match(reasonOf("gather"), /input texts: 2 elements → 3 elements/);
  });

  it("stops early where a step makes the same as before: what follows is taken over", async (t) => {
    const runs = await open(t);
    await runs.run(request(["one"]));
    // Another document of the step, the same result.
    await runs.close();
    await runs.write("catalog/tools/step/1.0.0/step.cwl", STEP.replace('echo "$2"', 'echo  "$2"'));
    await runs.restart();
    const again = await runs.run(request(["one"]));
    assert.deepEqual(ranIn(runs, again), ["each-0.a", "each-0.b"]);
  });

  it("goes on with a server that was stopped before it had recorded what it took over", async (t) => {
    const runs = await open(t);
    await runs.run(request(["one", "two"]));
    const runId = await runs.start(request(["two", "one"]));
    await runs.restart("detach");
    const run = await runs.ended(runId);
    assert.deepEqual([run.state, run.progress.jobs_total], ["COMPLETE", 5]);
    assert.deepEqual(ranIn(runs, run), ["gather"]);
    const ends = runs.engine.events.page({ runId, pageSize: 500 }).events.filter(({ type }) => type === "job.ended");
    assert.equal(new Set(ends.map(({ job_id }) => job_id)).size, ends.length);
  });

  it("can be planned with what the cache would say, and nothing is written", async (t) => {
    const runs = await open(t);
    await runs.run(request(["one", "two"]));
    const before = runs.engine.events.lastSeq;
    const plan = await runs.engine.runs.plan(caller, request(["three", "one"]));
    assert.deepEqual(
      plan.jobs.map(({ sample_id, cache }) => [sample_id, cache.decision, cache.job?.job_id]),
      [
        ["three", "miss", undefined],
        ["one", "hit", "each-0.a"],
        ["one", "hit", "each-0.b"],
      ],
    );
    const again = await runs.engine.runs.plan(caller, request(["one", "two"]));
    assert.deepEqual(
      again.jobs.map(({ cache }) => cache.decision),
      ["hit", "hit", "hit", "hit", "hit"],
    );
    assert.ok(again.steps.every(({ jobs_total_is_final: isFinal }) => isFinal));
    assert.equal(runs.engine.events.lastSeq, before);
  });
});
