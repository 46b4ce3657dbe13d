import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { slurmQueue } from "./slurm-system.ts";
import { DEFAULT_SLURM } from "./slurm-settings.ts";
import { ScriptedSlurm } from "./testing/scripted-slurm.ts";
import { textOf } from "../testing/launch.ts";
import { launchOf, scriptedSlurm } from "./testing/slurm-jobs.ts";
import { until } from "../../testing/until.ts";

const RUNNING = { index: 0, id: "9_0", state: "RUNNING", reason: "None", node: "n1" };

describe("the end of a run at Slurm", () => {
  it("is proven by three polls that find none of its tasks, and reports the ended processes", async () => {
    const { slurm, executor } = scriptedSlurm();
    const [one, other] = [launchOf({ runId: "ends", jobId: "a" }), launchOf({ runId: "ends", jobId: "b" })];
    const exits = [executor.submit(one).exit, executor.submit(other).exit];
    await until(() => slurm.batches.length > 0);
    const before = slurm.looks;
    const report = await executor.cancel({ runId: "ends", graceMs: 1000 });
    assert.deepEqual([report.proven, report.evidence], [true, ["slurm"]]);
    assert.deepEqual(
      report.jobs.map(({ jobId, signals, killed }) => [jobId, signals.join(), killed]),
      [
        ["a", "SIGTERM", 0],
        ["b", "SIGTERM", 0],
      ],
    );
    assert.ok(slurm.looks - before >= 4);
    assert.deepEqual((await Promise.all(exits)).map(textOf), ["lost", "lost"]);
    assert.equal(readFileSync(join(one.folder, "record"), "utf8"), "");
  });

  it("kills tasks that ignore the first signal with the second", async () => {
    const { slurm, executor } = scriptedSlurm();
    writeFileSync(join(launchOf({ runId: "deaf" }).folder, "slurm"), "weft-deaf-1 0\n");
    slurm.tasks = [{ ...RUNNING, name: "weft-deaf-1" }];
    slurm.onCancel = (_ids, now) => {
      if (now) slurm.tasks = [];
    };
    const report = await executor.cancel({ runId: "deaf", graceMs: 1000 });
    assert.deepEqual([report.proven, report.jobs[0]?.killed], [true, 1]);
    assert.equal(slurm.canceled.at(-1), "kill 9_0");
  });

  it("is not proven while Slurm does not answer", async () => {
    const { slurm, executor } = scriptedSlurm();
    slurm.tasks = undefined;
    assert.equal((await executor.cancel({ runId: "silent", graceMs: 1000 })).proven, false);
  });

  it("withdraws unsubmitted jobs", async () => {
    const { slurm, executor } = scriptedSlurm();
    const { exit } = executor.submit(launchOf({ runId: "early" }));
    const [{ proven }] = await Promise.all([executor.cancel({ runId: "early", graceMs: 0 }), exit]);
    assert.deepEqual([proven, slurm.batches.length], [true, 0]);
  });

  it("does not touch the jobs of other runs", async () => {
    const { slurm, executor } = scriptedSlurm();
    slurm.tasks = [{ ...RUNNING, name: "weft-mine2-1" }];
    await executor.cancel({ runId: "mine", graceMs: 0 });
    assert.deepEqual(slurm.canceled, []);
  });
});

it("a run whose folders cannot be read is not called ended", async () => {
  const slurm = new ScriptedSlurm();
  const executor = slurmQueue({
    settings: DEFAULT_SLURM,
    client: slurm,
    clock: slurm.clock,
    log: () => {},
    attemptFolders: () => {
      throw Object.assign(new Error("stale file handle"), { code: "ESTALE" });
    },
  });
  const { proven } = await executor.cancel({ runId: "stale", graceMs: 0 });
  assert.equal(proven, false);
  await executor.close();
});
