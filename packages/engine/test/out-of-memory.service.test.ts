import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Engine } from "../src/port/engine.ts";
import { NOTHING_MEASURED } from "../src/executor/executor.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const MIB = 1024 * 1024;

/** Is killed for lack of memory, unless it was given a gibibyte. */
const hungry: Program = ({ args: [ram = ""], print }) => {
  const oom = { source: "machine", kills: 1 } as const;
  if (Number(ram) < 1024) return { kind: "exited", exitCode: 137, used: NOTHING_MEASURED, oom };
  print(`${ram}\n`);
  return 0;
};
const DOCUMENT = {
  ...{ cwlVersion: "v1.2", class: "CommandLineTool", baseCommand: "hungry" },
  requirements: { ResourceRequirement: { ramMin: 256, coresMin: 1 } },
  arguments: ["$(runtime.ram)"],
  ...{ inputs: [], outputs: { ram: "stdout" } },
};
const open = (retryDelaysMs: number[]) => {
  const files = { "catalog/tools/hungry/1.0.0/hungry.cwl": JSON.stringify(DOCUMENT) };
  return serveFiles(files, { programs: { hungry }, jobs: 2, retryDelaysMs });
};

const attemptsOf = (engine: Engine, runId: string) =>
  engine.runs
    .job(caller, runId, "main")
    .attempts.map(({ state_reason, ram_bytes }) => [state_reason?.code, (ram_bytes ?? 0) / MIB]);

describe("a job that runs out of memory", () => {
  it("fails with OUT_OF_MEMORY, the evidence and its limit", async () => {
    const { engine } = await open([0]);
    const run = await runToEnd(engine, { tool: "hungry", inputs: {} });
    assert.equal(run.state_reason?.code, "OUT_OF_MEMORY");
    assert.match(run.state_reason?.message ?? "", /kernel killed a process on this machine.*requested 256 MiB/);
    assert.deepEqual(attemptsOf(engine, run.run_id), [["OUT_OF_MEMORY", 256]]);
  });

  it("is retried with more memory if the run permits it", async () => {
    const { engine } = await open([0]);
    const options = { on_out_of_memory: { multiply: 2 } };
    const run = await runToEnd(engine, { tool: "hungry", inputs: {}, options });
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(attemptsOf(engine, run.run_id), [
      ["OUT_OF_MEMORY", 256],
      ["OUT_OF_MEMORY", 512],
      [undefined, 1024],
    ]);
  });

  it("gets at most the memory that the run permits, and then fails", async () => {
    const { engine } = await open([0]);
    const options = { on_out_of_memory: { multiply: 2, up_to_bytes: 600 * MIB } };
    const run = await runToEnd(engine, { tool: "hungry", inputs: {}, options });
    assert.equal(run.state_reason?.code, "OUT_OF_MEMORY");
    assert.deepEqual(
      attemptsOf(engine, run.run_id).map(([, mib]) => mib),
      [256, 512, 600],
    );
  });

  it("gets the same memory from the next server", async () => {
    const delays = [600_000];
    const { engine: first, restart } = await open(delays);
    const options = { on_out_of_memory: { multiply: 4 } };
    const runId = await startRun(first, { tool: "hungry", inputs: {}, options });
    await untilRun(first, runId, () => first.runs.jobs(caller, runId, {}).jobs[0]?.attempt === 2);
    delays[0] = 0;
    const second = await restart();
    const run = await endedRun(second, runId);
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(
      attemptsOf(second, runId).map(([, mib]) => mib),
      [256, 1024],
    );
  });
});
