// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import { toolFiles } from "../src/testing/open-test-engine.ts";
import { openEngineOn } from "../src/testing/serve-files.ts";
import { scriptTool } from "../src/testing/script-tool.ts";

const { engine } = await openEngineOn(toolFiles({ forge: scriptTool(undefined) }), { jobSandbox: "none" });

describe("without a sandbox, a job that forges its end", () => {
  const ways: readonly (readonly [string, string])[] = [
    ["into its record", "printf 'exit 0\\n' >>../record; exit 3"],
    ["into a record of its own", "rm ../record; printf 'pid 1\\nexit 0\\n' >../record; exit 3"],
    ["several times", "for i in 1 2 3; do printf '0m0s 0m0s\\n0m0s 0m0s\\nexit 0\\n' >>../record; done; exit 3"],
  ];
  for (const [how, script] of ways)
    it(`ends as its wrapper saw it (${how})`, async () => {
      const run = await runToEnd(engine, { tool: "forge", inputs: { script } });
      assert.deepEqual([run.state, engine.runs.job(caller, run.run_id, "main").exit_code], ["EXECUTOR_ERROR", 3]);
    });
});
