import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { caller, CachedRuns } from "./cached-runs.ts";

const ECHO = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [echo]
inputs: { word: { type: string, inputBinding: {} }, named: boolean }
stdout: said.txt
outputs: { said: stdout }
`;
const TOOLS = {
  "catalog/tools/echo/1.0.0/echo.cwl": ECHO,
  "catalog/tools/named/1.0.0/named.cwl": `${ECHO}stderr: errors.txt\n`,
};

/** SQLite puts what is longer onto a page of its own. */
const LONGEST_ROW_BYTES = 1000;

describe("the row of a job that has ended", () => {
  it("fits on a page with others, and the job still has its command and the decision of the cache", async (t) => {
    const runs = await CachedRuns.open(t, TOOLS, { executor: new ScriptedExecutor() });
    const run = await runs.run({ tool: "echo", inputs: { word: "a", named: false } });
    const job = runs.job(run);
    assert.deepEqual(job.command?.argv, ["echo", "a"]);
    assert.equal(job.cache?.decision, "miss");
    assert.match(job.cache?.reason ?? "", /this tool has not run before/);
    const row = rowOf(runs, run.run_id);
    const bytes = Object.values(row).reduce<number>((sum, value) => sum + String(value ?? "").length, 0);
    assert.ok(bytes < LONGEST_ROW_BYTES, `${bytes} bytes`);
  });

  it("keeps the command if the tool named the file of its standard error, which retention looks for", async (t) => {
    const runs = await CachedRuns.open(t, TOOLS, { executor: new ScriptedExecutor() });
    const run = await runs.run({ tool: "named", inputs: { word: "a", named: true } });
    assert.match(String(rowOf(runs, run.run_id)["command"]), /out\/errors\.txt/);
    assert.deepEqual(runs.job(run).command?.argv, ["echo", "a"]);
  });

  it("reports damage if the start of the job cannot be read", async (t) => {
    const runs = await CachedRuns.open(t, TOOLS, { executor: new ScriptedExecutor() });
    const run = await runs.run({ tool: "echo", inputs: { word: "a", named: false } });
    await runs.close();
    {
      using db = new DatabaseSync(`${runs.root}/state/weft.db`);
      db.exec("UPDATE events SET data = '{' WHERE type = 'job.started'");
    }
    await runs.restart();
    const job = runs.engine.runs.job(caller, run.run_id, "main");
    assert.deepEqual([job.state, job.command], ["COMPLETE", null]);
  });
});

function rowOf(runs: CachedRuns, runId: string): Readonly<Record<string, unknown>> {
  using db = new DatabaseSync(`${runs.root}/state/weft.db`, { readOnly: true });
  return { ...db.prepare("SELECT * FROM jobs WHERE run_id = ?").get(runId) };
}
