import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { CachedRuns, caller } from "./cached-runs.ts";

/** Fails for a file that says so. */
const CHECK = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [check, --all]
inputs: { text: { type: File, inputBinding: { position: 1 } }, level: { type: int, default: 1, inputBinding: { position: 2 } } }
outputs: { out: { type: stdout } }
stdout: $(inputs.text.basename).out
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { texts: "File[]", level: { type: int, default: 1 } }
outputs: { all: { type: "File[]", outputSource: check/out } }
steps:
  check: { run: ../../tools/check/1.0.0/check.cwl, scatter: text, in: { text: texts, level: level }, out: [out] }
`;
const FILES = {
  "catalog/tools/check/1.0.0/check.cwl": CHECK,
  "catalog/networks/checks/checks.cwl": NETWORK,
  "data/sub-01.txt": "good\n",
  "data/sub-02.txt": "bad\n",
  "data/sub-03.txt": "fine\n",
};
const open = (t: TestContext, files: Readonly<Record<string, string>> = FILES) =>
  CachedRuns.open(t, files, {
    executor: new ScriptedExecutor({
      check({ args: [, path = ""], read, print }) {
        const text = read(path);
        if (text.includes("bad")) return 3;
        print(text);
        return 0;
      },
    }),
  });
const file = (name: string) => ({ class: "File", location: `weft-data://data/${name}.txt` });
const files = (...names: string[]) => names.map(file);
const REQUEST: CreateRun = {
  network: "checks",
  name: "night",
  tags: { study: "x" },
  inputs: { texts: files("sub-01", "sub-02", "sub-03") },
  options: { on_failure: "continue" },
};
const states = (runs: CachedRuns, run: { readonly run_id: string }) =>
  runs.jobs(run).map(({ sample_id, state, cached }) => `${sample_id} ${cached ? "cached" : state}`);

describe("a retry", () => {
  it("runs only the failed jobs again, with the same tags and options", async (t) => {
    const runs = await open(t);
    const first = await runs.run(REQUEST);
    assert.deepEqual(states(runs, first), ["sub-01 COMPLETE", "sub-02 EXECUTOR_ERROR", "sub-03 COMPLETE"]);
    const still = await runs.retry(first.run_id);
    assert.deepEqual(states(runs, still), ["sub-01 cached", "sub-02 EXECUTOR_ERROR", "sub-03 cached"]);
    assert.deepEqual(
      [still.name, still.tags, still.options],
      ["Retry of night", { study: "x" }, { on_failure: "continue" }],
    );
    runs.write("data/sub-02.txt", "good now\n");
    const healed = await runs.retry(still.run_id);
    assert.deepEqual([healed.state, healed.progress.jobs_cached], ["COMPLETE", 2]);
    assert.deepEqual(states(runs, healed), ["sub-01 cached", "sub-02 COMPLETE", "sub-03 cached"]);
  });

  it("and its original refer to each other, newest first", async (t) => {
    const runs = await open(t);
    const first = await runs.run(REQUEST);
    const second = await runs.retry(first.run_id);
    const third = await runs.retry(first.run_id);
    assert.equal(second.relations.retry_of?.run_id, first.run_id);
    const known = runs.engine.runs.get(caller, first.run_id).relations;
    assert.deepEqual(
      [known.retry_of, known.retried_by.map(({ run_id }) => run_id)],
      [null, [third.run_id, second.run_id]],
    );
  });

  it("replaces inputs of the run; null removes one", async (t) => {
    const runs = await open(t);
    const first = await runs.run({ ...REQUEST, inputs: { texts: files("sub-01", "sub-03"), level: 2 } });
    const edited = await runs.retry(first.run_id, { inputs: { texts: files("sub-03"), level: null } });
    assert.deepEqual(states(runs, edited), ["sub-03 COMPLETE"]);
    assert.deepEqual(runs.job(edited).inputs["level"], 1);
  });

  it("with more samples runs only the new ones", async (t) => {
    const runs = await open(t);
    const first = await runs.run({ ...REQUEST, inputs: { texts: files("sub-01") } });
    const extended = await runs.retry(first.run_id, { inputs: { texts: files("sub-01", "sub-03") } });
    assert.deepEqual(states(runs, extended), ["sub-01 cached", "sub-03 COMPLETE"]);
  });

  it("runs only the chosen samples, by name", async (t) => {
    const runs = await open(t);
    const first = await runs.run({
      network: "checks",
      options: { on_failure: "continue" },
      source_data: { texts: { ann: file("sub-01"), bob: file("sub-02"), eve: file("sub-03") } },
    });
    assert.deepEqual(states(runs, first), ["ann COMPLETE", "bob EXECUTOR_ERROR", "eve COMPLETE"]);
    runs.write("data/sub-02.txt", "good now\n");
    const alone = await runs.retry(first.run_id, { samples: ["bob"] });
    assert.deepEqual([alone.state, states(runs, alone), alone.samples], ["COMPLETE", ["bob COMPLETE"], ["bob"]]);
    // The retry does not repeat its work with the others, in whatever order they come.
    const whole = await runs.retry(first.run_id);
    assert.deepEqual(states(runs, whole), ["ann cached", "bob cached", "eve cached"]);
  });

  it("uses the recorded document, and reports that the catalog has another; the newest is optional", async (t) => {
    const runs = await open(t);
    const first = await runs.run({ ...REQUEST, inputs: { texts: files("sub-01") } });
    assert.equal(first.relations.newest, null);
    await runs.close();
    runs.write("catalog/networks/checks/checks.cwl", NETWORK.replace("cwlVersion", "label: New\ncwlVersion"));
    runs.write("catalog/tools/check/1.0.0/check.cwl", CHECK.replace("--all", "--some"));
    await runs.restart();
    const again = await runs.retry(first.run_id);
    assert.deepEqual(states(runs, again), ["sub-01 cached"]);
    assert.deepEqual([again.network?.digest, again.relations.newest?.label], [first.network?.digest, "New"]);
    const newest = await runs.retry(first.run_id, { version: "newest" });
    assert.equal(newest.relations.newest, null);
    assert.notEqual(newest.network?.digest, first.network?.digest);
    const [job] = runs.jobs(newest);
    assert.deepEqual([job?.cached, job?.cache?.diff.map(({ component }) => component)], [false, ["tool"]]);
  });

  it("reuses no result with the cache off, and does not repeat jobs only because its original run did", async (t) => {
    const runs = await open(t);
    const first = await runs.run({
      ...REQUEST,
      inputs: { texts: files("sub-01") },
      options: { cache: "refresh", retries: 1 },
    });
    const plain = await runs.retry(first.run_id);
    assert.deepEqual([states(runs, plain), plain.options], [["sub-01 cached"], { retries: 1 }]);
    const anew = await runs.retry(first.run_id, { options: { cache: "off" } });
    assert.deepEqual([states(runs, anew), anew.options], [["sub-01 COMPLETE"], { cache: "off", retries: 1 }]);
  });

  it("is the same run for the same idempotency key", async (t) => {
    const runs = await open(t);
    const first = await runs.run({ ...REQUEST, inputs: { texts: files("sub-01") } });
    const ask = (body: object) => runs.engine.runs.retry(caller, first.run_id, { body, idempotencyKey: "k" });
    const [one, two] = [await ask({}), await ask({})];
    assert.deepEqual([one.replayed, two.replayed, two.run.run_id], [false, true, one.run.run_id]);
    await assert.rejects(ask({ inputs: {} }), { code: "idempotency-key-reused" });
    await runs.ended(one.run.run_id);
  });

  it("can be planned: the plan names the results to reuse, and nothing starts", async (t) => {
    const runs = await open(t);
    const first = await runs.run(REQUEST);
    const before = runs.engine.events.lastSeq;
    const plan = await runs.engine.runs.planRetry(caller, first.run_id, {});
    assert.deepEqual(
      plan.jobs.map(({ sample_id, cache }) => [sample_id, cache.decision, cache.reason.split(" of run ")[0]]),
      [
        ["sub-01", "hit", "the result of job check-0"],
        ["sub-02", "miss", "an equal job failed earlier"],
        ["sub-03", "hit", "the result of job check-2"],
      ],
    );
    assert.equal(plan.jobs[0]?.cache.job?.url, caller.links.job(first.run_id, "check-0"));
    // The size of the first run may be measured meanwhile.
    const { events } = runs.engine.events.page(caller, { since: before });
    assert.deepEqual(
      events.filter(({ type }) => type !== "run.measured"),
      [],
    );
  });

  const refused: readonly (readonly [string, object, string, RegExp])[] = [
    ["inputs that do not fit", { inputs: { level: "high" } }, "invalid-inputs", /level/],
    ["inputs and source data", { inputs: {}, source_data: {} }, "invalid-body", /not both/],
    ["a missing sample", { samples: ["sub-09"] }, "invalid-inputs", /"sub-09"; its samples are sub-01, sub-02/],
    ["a sample and another list", { samples: ["sub-01"], inputs: { texts: [] } }, "invalid-body", /not both/],
    ["a missing version", { version: "9.9.9" }, "version-not-found", /9\.9\.9/],
  ];
  for (const [name, body, code, message] of refused)
    it(`with ${name} is refused, and starts nothing`, async (t) => {
      const runs = await open(t);
      const first = await runs.run(REQUEST);
      const count = runs.engine.runs.list(caller, {}).total;
      await assert.rejects(runs.retry(first.run_id, body), (error: Error & { readonly code?: string }) => {
        assert.equal(error.code, code);
        assert.match(error.message, message);
        return true;
      });
      assert.equal(runs.engine.runs.list(caller, {}).total, count);
    });

  it("refuses samples of a single tool", async (t) => {
    const runs = await open(t);
    const first = await runs.run({ tool: "check", inputs: { text: file("sub-01") } });
    await assert.rejects(
      runs.retry(first.run_id, { samples: ["sub-01"] }),
      /no job of the run belongs to a sample "sub-01"/,
    );
  });

  it("refuses an open or missing run", async (t) => {
    const hang = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: hang\ninputs: []\noutputs: []\n";
    const runs = await open(t, { "catalog/tools/hang/1.0.0/hang.cwl": hang });
    const runId = await runs.start({ tool: "hang" });
    await assert.rejects(runs.retry(runId), { code: "conflict" });
    await runs.engine.runs.abort(caller, runId, 20_000);
    await assert.rejects(runs.retry("019a9c5e-7b1a-7cc0-8000-0000000000ff"), { code: "run-not-found" });
  });

  it("belongs to its caller", async (t) => {
    const runs = await open(t);
    const first = await runs.run({ ...REQUEST, inputs: { texts: files("sub-01") } });
    const bob = { ...caller, principal: "bob" };
    const { run } = await runs.engine.runs.retry(bob, first.run_id, { body: {}, idempotencyKey: undefined });
    assert.equal(run.owner, "bob");
    await runs.ended(run.run_id);
  });
});
