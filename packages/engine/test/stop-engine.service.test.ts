import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { runsOf } from "../src/testing/ask-runs.ts";

describe("an engine that has stopped", () => {
  for (const first of ["drain", "detach", "cancel"] as const)
    for (const second of ["drain", "detach", "cancel"] as const)
      it(`is stopped twice without an error: ${first}, then ${second}`, async () => {
        const { engine } = await serveFiles({}, { jobs: 1 });
        await engine.stop(first);
        await assert.doesNotReject(engine.stop(second));
      });
});

describe("a paused run", () => {
  const HANG = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: hang\ninputs: {}\noutputs: {}\n";

  async function pausedRun() {
    const { engine, restart } = await serveFiles({ "catalog/tools/sleep/1.0.0/sleep.cwl": HANG });
    const [paused, other] = [
      await startRun(engine, { tool: "sleep", inputs: {} }),
      await startRun(engine, { tool: "sleep", inputs: {} }),
    ];
    for (const runId of [paused, other]) await untilRun(engine, runId, ({ job_counts }) => job_counts["RUNNING"] === 1);
    await runsOf(engine).pause(caller, paused);
    return { engine, paused, restart };
  }

  for (const first of ["cancel", "drain"] as const)
    it(`has ended, with its jobs, when the server has stopped and aborted all runs (first asked to ${first})`, async () => {
      const { engine, paused, restart } = await pausedRun();
      const draining = first === "drain" ? engine.stop("drain") : undefined;
      await engine.stop("cancel");
      await draining;
      const next = await restart();
      assert.equal(next.runs.get(caller, paused).state, "CANCELED");
    });
});
