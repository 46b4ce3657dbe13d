import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { jobProcesses } from "../../src/executor/kill/job-processes.ts";
import { caller, runToEnd, startRun } from "../../src/testing/drive-runs.ts";
import { catalogFile } from "../test-catalog.ts";
import { openCatalogEngine } from "./open-catalog-engine.ts";

const { engine } = await openCatalogEngine();

describe("an abort", () => {
  it("leaves no process and says so, however often it is asked", async () => {
    const runId = await startRun(engine, {
      network: "act-all",
      inputs: { hows: Array.from({ length: 20 }, () => "hang") },
    });
    while (jobProcesses({ runId }).length < 4) await new Promise((resolve) => setImmediate(resolve));
    const [one, two] = await Promise.all([
      engine.runs.abort(caller, runId, 20_000),
      engine.runs.abort(caller, runId, 20_000),
    ]);
    assert.deepEqual([one.state, two.state], ["CANCELED", "CANCELED"]);
    assert.deepEqual(jobProcesses({ runId }), []);
    const run = engine.runs.get(caller, runId);
    assert.equal(run.outcome, "canceled");
    assert.equal(run.abort?.requested_by, "ann");
    assert.ok(run.abort?.confirmed_at);
    assert.equal(
      Object.values(run.job_counts).reduce((sum, count) => sum + count, 0),
      (run.job_counts.CANCELED ?? 0) + (run.job_counts.COMPLETE ?? 0),
    );
  });

  it("right after the start, and of a run that has ended", async () => {
    const runId = await startRun(engine, { network: "act-all", inputs: { hows: ["hang", "hang"] } });
    assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
    const done = await runToEnd(engine, { tool: "shout", inputs: { text: catalogFile("one.txt") } });
    assert.equal((await engine.runs.abort(caller, done.run_id, 1000)).state, "COMPLETE");
    await assert.rejects(engine.runs.abort(caller, "none", 1), { code: "run-not-found" });
  });
});
