import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Caller } from "../src/port/caller.ts";
import { caller, endedRun, retryRun, runToEnd } from "../src/testing/drive-runs.ts";
import { catalogFile, serveCatalog } from "./test-catalog.ts";
import { runsOf } from "../src/testing/ask-runs.ts";
import { column } from "../src/testing/columns.ts";

const { engine } = await serveCatalog();
const admin: Caller = { ...caller, principal: "admin", othersRuns: "changeable" };
const inputs = { texts: ["one.txt", "two.txt"].map(catalogFile) };
const runId = (await runToEnd(engine, { network: "shout-all", inputs, tags: { batch: "7" } })).run_id;

const told = () => {
  const { name, note, tags, state } = engine.runs.get(caller, runId);
  return { name, note, tags, state };
};

describe("a run that is described", () => {
  it("is named after its inputs and the time, without a note", () => {
    assert.match(told().name, /, 2 texts, \d+ \w{3} \d\d:\d\d$/);
    assert.deepEqual([told().note, told().tags], ["", { batch: "7" }]);
  });

  it("changes the given fields, keeps the rest and its state, and is found by them", async () => {
    const before = engine.runs.get(caller, runId);
    const answer = await runsOf(engine).describe(caller, runId, { name: "Night", tags: { paper: "x:y" } });
    assert.ok(answer.revision > before.revision);
    await runsOf(engine).describe(admin, runId, { note: "Good one.\nSecond line" });
    const note = "Good one.\nSecond line";
    assert.deepEqual(told(), { name: "Night", note, tags: { paper: "x:y" }, state: "COMPLETE" });
    const found = (query: object) => engine.runs.list(caller, query).runs.length;
    const queries = [{ tag: "paper:x:y" }, { tag: "paper" }, { tag: "batch" }, { q: "nigh" }];
    assert.deepEqual(queries.map(found), [1, 1, 0, 1]);
    await runsOf(engine).describe(caller, runId, { note: "", tags: {} });
    assert.deepEqual([told().note, told().tags], ["", {}]);
  });

  it("records the author of each change in the log", () => {
    const { events } = engine.events.page(caller, { runId, pageSize: 1000 });
    assert.deepEqual(
      events.flatMap(({ type, actor, data }) => (type === "run.described" ? [[actor, data]] : [])),
      [
        [caller.principal, { name: "Night", tags: { paper: "x:y" } }],
        ["admin", { note: "Good one.\nSecond line" }],
        [caller.principal, { note: "", tags: {} }],
      ],
    );
  });

  it("gives its name to its retry", async () => {
    const first = await retryRun(engine, runId);
    await endedRun(engine, first.run_id);
    const again = await retryRun(engine, first.run_id);
    assert.deepEqual([first.name, again.name], ["Retry of Night", "Retry of Night"]);
    assert.equal(first.relations.retry_of?.name, "Night");
    assert.deepEqual(column(engine.runs.get(caller, runId).relations.retried_by, "name"), ["Retry of Night"]);
  });
});
