// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { sleepers, untilThere } from "../src/executor/kill/testing/hostile-programs.ts";
import { caller, runToEnd, startRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";

const skip = process.platform !== "linux" && "there is no /proc";

/**
 * The daemon has cleared its environment, left its session and closed its files; both go by the token. Only a control
 * group says whose job such a process is: elsewhere it counts for the run.
 */
const HANG = `(cd /; env -i setsid bash -c 'exec -a "$0" sleep 300' "$1" </dev/null >/dev/null 2>&1 &); exec -a "$1" sleep 300`;
const TOOL = (more: object) => ({
  ...{ cwlVersion: "v1.2", class: "CommandLineTool", baseCommand: ["bash", "-c", HANG, "hang"], outputs: [] },
  inputs: { token: { type: "string", inputBinding: { position: 1 } } },
  ...more,
});
const HANG_ALL = {
  ...{ cwlVersion: "v1.2", class: "Workflow", outputs: [], requirements: { ScatterFeatureRequirement: {} } },
  inputs: { tokens: "string[]" },
  steps: { hang: { run: TOOL({}), scatter: "token", in: { token: "tokens" }, out: [] } },
};
const root = temporaryFolder({
  "catalog/tools/late/1.0.0/late.cwl": JSON.stringify(TOOL({ requirements: { ToolTimeLimit: { timelimit: 1 } } })),
  "catalog/networks/hang-all/hang-all.cwl": JSON.stringify(HANG_ALL),
});
const open = () => openTestEngine(root, { jobs: 2 });
const countOf = (token: string) => sleepers(token).length;

describe("the report of an abort", { skip }, () => {
  const token = `abort-proof-${process.pid}-`;

  it("describes the end of each job, and counts jobs that never started", async () => {
    const engine = await open();
    const tokens = [1, 2, 3, 4, 5].map((n) => `${token}a${n}-`);
    const runId = await startRun(engine, { network: "hang-all", inputs: { tokens } });
    await untilThere(`${token}a`, 4);
    await engine.runs.abort(caller, runId, 60_000);
    assert.equal(countOf(`${token}a`), 0);
    const { abort } = engine.runs.get(caller, runId);
    assert.ok(abort !== null);
    assert.deepEqual([abort.jobs_ended, abort.jobs_not_started], [2, 3]);
    assert.ok(abort.processes_found >= 4 && abort.evidence.includes("scans"), JSON.stringify(abort));
    for (const job of abort.jobs) {
      assert.ok(job.processes_found >= 1 && job.signals[0] === "SIGTERM", JSON.stringify(job));
      assert.ok(job.confirmed_at !== null && job.confirmed_at >= job.asked_at, JSON.stringify(job));
      assert.deepEqual(engine.runs.job(caller, runId, job.job_id).kill?.evidence, job.evidence);
    }
    await engine.stop("cancel");
  });

  it("also exists if the next server ends the jobs", async () => {
    const first = await open();
    const runId = await startRun(first, { network: "hang-all", inputs: { tokens: [`${token}b-`] } });
    await untilThere(`${token}b-`, 2);
    await first.stop("detach");
    assert.equal(countOf(`${token}b-`), 2);
    const second = await open();
    await second.runs.abort(caller, runId, 60_000);
    assert.equal(countOf(`${token}b-`), 0);
    const { abort, state } = second.runs.get(caller, runId);
    assert.deepEqual([state, abort?.jobs_ended, abort?.jobs.length], ["CANCELED", 1, 1]);
    assert.ok((abort?.processes_found ?? 0) >= 2, JSON.stringify(abort));
    await second.stop("cancel");
  });

  it("is recorded for the job that exceeded its time limit, and its run is not called aborted", async () => {
    const engine = await open();
    const run = await runToEnd(engine, { tool: "late", inputs: { token: `${token}c-` } });
    assert.equal(countOf(`${token}c-`), 0);
    assert.deepEqual([run.state_reason?.code, run.abort], ["TIME_LIMIT", null]);
    const { kill, attempts } = engine.runs.job(caller, run.run_id, "main");
    assert.ok((kill?.processes_found ?? 0) >= 2 && kill?.confirmed_at !== null, JSON.stringify(kill));
    assert.deepEqual(attempts[0]?.kill, kill);
    await engine.stop("cancel");
  });
});
