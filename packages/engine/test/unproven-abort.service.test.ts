import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Machine, JobExit, KillReport } from "../src/executor/executor.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";

const HANG = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: hang\ninputs: []\noutputs: []\n";

describe("a run whose processes cannot be ended", () => {
  /** Jobs that end on request, and an executor that proves their end when the test lets it. */
  class SlowToProve implements Machine {
    isProvable = false;
    readonly #exit = Promise.withResolvers<JobExit>();
    readonly submit = () => ({ started: Promise.resolve("7"), exit: this.#exit.promise });
    readonly reattach = this.submit;
    readonly look = async () => "reattach" as const;
    async cancel(): Promise<KillReport> {
      this.#exit.resolve({ kind: "lost" });
      // The real executor also pauses between two attempts.
      await new Promise((resolve) => setImmediate(resolve));
      return { proven: this.isProvable, evidence: ["scans"], jobs: [], left: this.isProvable ? [] : [7] };
    }
    async close(): Promise<void> {}
  }

  it("is not canceled before the end is proven, and the log names the processes", async () => {
    const executor = new SlowToProve();
    const told = Promise.withResolvers<unknown>();
    const root = temporaryFolder({ "catalog/tools/hang/1.0.0/hang.cwl": HANG });
    const engine = await openTestEngine(root, {
      container: "none",
      jobs: 1,
      executor,
      log: (level, _message, fields) => level === "error" && told.resolve(fields?.["process_ids"]),
    });
    const runId = await startRun(engine, { tool: "hang", inputs: {} });
    await untilRun(engine, runId, ({ job_counts }) => job_counts.RUNNING === 1);
    const aborting = engine.runs.abort(caller, runId, 60_000);
    assert.deepEqual(await told.promise, [7]);
    const { state, abort } = engine.runs.get(caller, runId);
    assert.deepEqual([state, abort?.confirmed_at, abort?.jobs], ["CANCELING", null, []]);
    executor.isProvable = true;
    assert.equal((await aborting).state, "CANCELED");
    assert.equal(engine.runs.get(caller, runId).abort?.jobs_ended, 1);
    await engine.stop("cancel");
  });
});
