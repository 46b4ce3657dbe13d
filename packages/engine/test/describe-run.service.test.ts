import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Caller } from "../src/port/caller.ts";
import { caller, endedRun, runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, catalogFile, TEST_CATALOG } from "./test-catalog.ts";
import { runsOf } from "../src/testing/ask-runs.ts";
import { column } from "../src/testing/columns.ts";

const executor = catalogExecutor();

const root = temporaryFolder(TEST_CATALOG);
const admin: Caller = { ...caller, principal: "admin", othersRuns: "changeable" };

const engine = await openTestEngine(root, { executor });
const inputs = { texts: ["one.txt", "two.txt"].map(catalogFile) };
const runId = (await runToEnd(engine, { network: "shout-all", inputs, tags: { batch: "7" } })).run_id;
after(() => engine.stop("cancel"));

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
    assert.deepEqual(told(), {
      name: "Night",
      note: "Good one.\nSecond line",
      tags: { paper: "x:y" },
      state: "COMPLETE",
    });
    const found = (query: object) => engine.runs.list(caller, query).runs.length;
    assert.deepEqual(
      [{ tag: "paper:x:y" }, { tag: "paper" }, { tag: "batch" }, { q: "nigh" }].map(found),
      [1, 1, 0, 1],
    );
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
    const { run } = await engine.runs.retry(caller, runId, { body: {}, idempotencyKey: undefined });
    const again = await engine.runs.retry(caller, (await endedRun(engine, run.run_id)).run_id, {
      body: {},
      idempotencyKey: undefined,
    });
    assert.deepEqual([run.name, again.run.name], ["Retry of Night", "Retry of Night"]);
    assert.equal(run.relations.retry_of?.name, "Night");
    assert.deepEqual(column(engine.runs.get(caller, runId).relations.retried_by, "name"), ["Retry of Night"]);
    await endedRun(engine, again.run.run_id);
  });
});
