import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { column } from "../../src/testing/columns.ts";
import { caller, runToEnd, startRun, untilRun } from "../../src/testing/drive-runs.ts";
import { catalogExecutor, catalogFile, serveCatalog } from "../test-catalog.ts";

const executor = catalogExecutor();
const { engine } = await serveCatalog({ executor });

describe("an abort", () => {
  it("ends every job, and returns the same report each time", async () => {
    const hows = Array<string>(20).fill("hang");
    const runId = await startRun(engine, { network: "act-all", inputs: { hows } });
    await untilRun(engine, runId, ({ job_counts }) => (job_counts.RUNNING ?? 0) >= 2);
    const reports = await Promise.all([1, 2].map(() => engine.runs.abort(caller, runId, 20_000)));
    assert.deepEqual(column(reports, "state"), ["CANCELED", "CANCELED"]);
    assert.equal((await executor.cancel({ runId })).jobs.length, 0);
    const run = engine.runs.get(caller, runId);
    assert.equal(run.outcome, "canceled");
    assert.equal(run.abort?.requested_by, "ann");
    assert.ok(run.abort?.confirmed_at);
    assert.equal(
      Object.values(run.job_counts).reduce((sum, count) => sum + count, 0),
      (run.job_counts.CANCELED ?? 0) + (run.job_counts.COMPLETE ?? 0),
    );
  });

  it("works right after the start, and has no effect after the end", async () => {
    const runId = await startRun(engine, { network: "act-all", inputs: { hows: ["hang", "hang"] } });
    assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
    const done = await runToEnd(engine, { tool: "shout", inputs: { text: catalogFile("one.txt") } });
    assert.equal((await engine.runs.abort(caller, done.run_id, 1000)).state, "COMPLETE");
    await assert.rejects(engine.runs.abort(caller, "none", 1), { code: "run-not-found" });
  });
});
