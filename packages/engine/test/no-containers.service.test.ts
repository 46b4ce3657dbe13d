import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const END = `cwlVersion: v1.2
class: CommandLineTool
requirements: { DockerRequirement: { dockerPull: "localhost/nobody-publishes-this:1" } }
baseCommand: "true"
inputs: {}
outputs: {}
`;

describe("tools that require a container if containers are turned off", async () => {
  const { engine } = await serveFiles({ "catalog/tools/end/1.0.0/end.cwl": END });

  it("run without one, and their page and their job report this", async () => {
    const [issue] = engine.catalog.getTool(caller, "end", undefined).validation.issues;
    assert.equal(issue?.code, "no-container");
    const { run_id: runId, state } = await runToEnd(engine, { tool: "end", inputs: {} });
    assert.equal(state, "COMPLETE");
    assert.match(engine.runs.job(caller, runId, "main").container ?? "", /^none, although localhost.*--no-container/);
  });
});
