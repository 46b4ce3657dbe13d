import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { caller, endedRun, startRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";

const END = `cwlVersion: v1.2
class: CommandLineTool
requirements: { DockerRequirement: { dockerPull: "localhost/nobody-publishes-this:1" } }
baseCommand: "true"
inputs: {}
outputs: {}
`;

describe("tools that require a container if containers are turned off", async () => {
  const root = temporaryFolder({ "catalog/tools/end/1.0.0/end.cwl": END });
  const engine = await openTestEngine(root, { container: "none", executor: new ScriptedExecutor() });
  after(() => engine.stop("cancel"));

  it("run without one, and their page and their job report this", async () => {
    const [issue] = engine.catalog.getTool(caller, "end", undefined).validation.issues;
    assert.equal(issue?.code, "no-container");
    const runId = await startRun(engine, { tool: "end", inputs: {} });
    assert.equal((await endedRun(engine, runId)).state, "COMPLETE");
    assert.match(engine.runs.job(caller, runId, "main").container ?? "", /^none, although localhost.*--no-container/);
  });
});
