import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Caller } from "../src/port/caller.ts";
import type { Engine } from "../src/port/engine.ts";
import { parseRunName } from "../src/runs/begin/run-name.ts";
import { caller, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { catalogFile, serveCatalog } from "./test-catalog.ts";
import { runsOf } from "../src/testing/ask-runs.ts";
import { columns } from "../src/testing/columns.ts";

const bob: Caller = { ...caller, principal: "bob", othersRuns: "visible" };
const texts = ["one.txt", "two.txt"].map(catalogFile);
const template = (text: string) => {
  const parsed = parseRunName(text);
  assert.ok(typeof parsed !== "string");
  return parsed;
};
const runNames = { "": template("{id} of {owner}"), "shout-all": template("{network} {subject count} {date}") };

async function run(owner = caller): Promise<string> {
  return (await runToEnd(engine, { network: "shout-all", inputs: { texts } }, owner)).run_id;
}

function listed(query: Parameters<Engine["runs"]["list"]>[1] = {}): readonly string[] {
  return engine.runs.list(caller, query).runs.map((each) => (typeof each === "string" ? each : each.run_id));
}

const { engine } = await serveCatalog({ runNames });

describe("many runs", () => {
  it("are archived, pinned and tagged in one step, except other users' runs and unknown ones", async () => {
    const [mine, other, bobs] = [await run(), await run(), await run(bob)];
    const unknown = "019a9c5e-7b1a-7cc0-8000-999999999999";
    const change = { archived: true, pinned: true, add_tags: { paper: "2" } };
    const answer = await runsOf(engine).describeAll(bob, { run_ids: [mine, bobs, unknown, bobs], ...change });
    assert.equal(answer.changed, 1);
    assert.deepEqual(columns(answer.refused, "run_id", "code"), [
      [mine, "forbidden"],
      [unknown, "run-not-found"],
    ]);
    const { archived, pinned, tags } = engine.runs.get(caller, bobs);
    assert.deepEqual({ archived, pinned, tags }, { archived: true, pinned: true, tags: { paper: "2" } });
    assert.deepEqual(listed(), [other, mine]);
    assert.deepEqual(listed({ archived: "only" }), [bobs]);
    assert.deepEqual(listed({ archived: "all" }), [bobs, other, mine]);
    assert.deepEqual(listed({ archived: "all", pinned: true }), [bobs]);
    const { run_counts: counts } = await engine.serverInfo(caller);
    assert.equal(counts.COMPLETE, 2);
    await runsOf(engine).describeAll(caller, { run_ids: [bobs], archived: false, remove_tags: ["paper", "none"] });
    assert.deepEqual(engine.runs.get(caller, bobs).tags, {});
    assert.deepEqual(listed(), [bobs, other, mine]);
  });

  it("are not archived while they are open", async () => {
    const runId = await startRun(engine, { network: "act-all", inputs: { hows: ["hang"] } });
    await untilRun(engine, runId, ({ job_counts: counts }) => counts.RUNNING === 1);
    await assert.rejects(runsOf(engine).describe(caller, runId, { archived: true }), { code: "conflict" });
    const { refused } = await runsOf(engine).describeAll(caller, { run_ids: [runId], archived: true });
    assert.equal(refused[0]?.code, "conflict");
    assert.equal((await runsOf(engine).describe(caller, runId, { pinned: true })).pinned, true);
    assert.equal(engine.runs.get(caller, runId).name, "act-all of ann");
    await engine.runs.abort(caller, runId, 10_000);
  });

  it("are named by the template of their network", async () => {
    assert.match(engine.runs.get(caller, await run()).name, /^.+ 2 \d{4}-\d\d-\d\d$/);
    const named = await runToEnd(engine, { network: "shout-all", inputs: { texts }, name: "Own" });
    assert.equal(named.name, "Own");
  });
});
