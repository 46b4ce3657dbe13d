// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import type { Engine } from "../src/port/engine.ts";
import { endedRun, runToEnd, startRun } from "../src/testing/drive-runs.ts";
import { toolFiles } from "../src/testing/open-test-engine.ts";
import { openEngineOn } from "../src/testing/serve-files.ts";

const MIB = 1024 * 1024;
const LIMITS = { ...DEFAULT_LIMITS, jobProcesses: 40, jobOpenFiles: 50, jobLogBytes: MIB };
const skip = process.platform !== "linux" && "limits need Linux";

const TOOL = {
  ...{ cwlVersion: "v1.2", class: "CommandLineTool", baseCommand: ["bash", "-c"], stdout: "said" },
  ...{ inputs: { script: { type: "string", inputBinding: {} } }, outputs: { said: "stdout" } },
};
const FILES = toolFiles({ sh: JSON.stringify(TOOL) });

const bodyOf = (script: string) => ({ tool: "sh", inputs: { script } });

/** The end of a greedy run, while another run continues next to it. */
async function endOf(engine: Engine, script: string) {
  const healthy = await startRun(engine, bodyOf("sleep 1; echo well"));
  const greedy = await runToEnd(engine, bodyOf(script));
  assert.equal((await endedRun(engine, healthy)).state, "COMPLETE");
  return greedy;
}

for (const sandbox of ["none", "auto"] as const)
  describe(`a greedy job (sandbox: ${sandbox})`, { skip }, async () => {
    const { engine } = await openEngineOn(FILES, { jobs: 4, limits: LIMITS, jobSandbox: sandbox });

    const greedy = [
      ["starts processes forever", "while :; do sleep 100 & done", /had \d+ processes; at most 40/, "job-processes"],
      ["writes its log forever", "yes >&2", /wrote \d+ MiB to standard error; at most 1 MiB/, "job-log-bytes"],
    ] as const;
    for (const [name, script, message, limit] of greedy)
      it(`is ended when it ${name}`, async () => {
        const { state, state_reason: reason } = await endOf(engine, script);
        assert.deepEqual([state, reason?.code], ["EXECUTOR_ERROR", "LIMIT_EXCEEDED"]);
        assert.match(reason?.message ?? "", message);
        assert.match(reason?.hint ?? "", new RegExp(`--limit ${limit}=`));
      });

    it("is refused more open files than allowed", async () => {
      const opens = 'for n in $(seq 10 200); do eval "exec $n</dev/null" || { echo "refused $n"; exit; }; done';
      const run = await endOf(engine, `{ ${opens}; } 2>/dev/null`);
      assert.equal(run.state, "COMPLETE");
      assert.equal((run.outputs?.["said"] as { readonly size?: number } | undefined)?.size, "refused 50\n".length);
    });

    for (const [name, script] of [
      ["is the first to be killed when memory is short", '[ "$(cat /proc/self/oom_score_adj)" -ge 500 ]'],
      ["may write outputs of any size", "head -c 3000000 /dev/zero; sleep 1.5"],
    ] as const)
      it(name, async () => assert.equal((await endOf(engine, script)).state, "COMPLETE"));
  });
