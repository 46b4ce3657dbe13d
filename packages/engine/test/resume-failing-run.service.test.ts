import assert from "node:assert/strict";
import { it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { caller, endedRun, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";

const gates = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
const executor = new ScriptedExecutor({ wait: ({ args: [code] }) => gates[code === "0" ? 0 : 1].promise });

const root = temporaryFolder();

/** Ends with its code once the test lets it. */
const WAIT = {
  class: "CommandLineTool",
  baseCommand: "wait",
  inputs: { code: { type: "int", inputBinding: {} }, after: "File?" },
  outputs: {},
};
/** The job that succeeds starts after another one has ended. */
const NETWORK = {
  ...{ cwlVersion: "v1.2", class: "Workflow", inputs: {}, outputs: {} },
  requirements: { StepInputExpressionRequirement: {} },
  steps: {
    fails: { in: { code: { default: 1 } }, out: [], run: WAIT },
    first: {
      ...{ in: {}, out: ["said"] },
      run: { class: "CommandLineTool", baseCommand: "echo", inputs: {}, outputs: { said: "stdout" } },
    },
    succeeds: { in: { code: { default: 0 }, after: "first/said" }, out: [], run: WAIT },
  },
};

it("a run whose job failed while no server ran waits for the jobs that still run", async () => {
  writeFiles(root, { "catalog/networks/waiting/waiting.cwl": JSON.stringify(NETWORK) });
  const first = await openTestEngine(root, { executor, jobs: 2 });
  const options = { on_failure: "finish_running" as const, cache: "off" as const };
  const runId = await startRun(first, { network: "waiting", inputs: {}, options });
  await untilRun(first, runId, ({ job_counts }) => job_counts.COMPLETE === 1 && job_counts.RUNNING === 2);
  await first.stop("detach");
  gates[1].resolve(1);
  const second = await openTestEngine(root, { executor, jobs: 2 });
  await untilRun(second, runId, ({ job_counts }) => job_counts.EXECUTOR_ERROR === 1);
  const { state } = second.runs.get(caller, runId);
  gates[0].resolve(0);
  const ended = await endedRun(second, runId);
  await second.stop("cancel");
  assert.equal(state, "RUNNING");
  assert.deepEqual(ended.job_counts, { COMPLETE: 2, EXECUTOR_ERROR: 1 });
});
