import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Launch } from "../executor.ts";
import { ScriptedSlurm } from "./testing/scripted-slurm.ts";
import { executorOn, launchOf, record, textOf } from "./testing/slurm-jobs.ts";

describe("a job that is started at Slurm", () => {
  it("is submitted once under a name in its folder, and ends according to its record", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm);
    const launch = await launchOf();
    const running = executor.submit(launch);
    slurm.onPause = () => {
      if (slurm.batches.length === 0 || slurm.tasks?.length === 0) return;
      assert.equal(readFileSync(join(launch.folder, "slurm"), "utf8"), `${slurm.batches[0]?.name} 0\n`);
      record(launch, 3);
      slurm.tasks = [];
    };
    assert.equal(textOf(await running.exit), "exited 3");
    assert.equal(await running.started, "1_0");
    assert.equal(slurm.batches.length, 1);
  });

  it("says why it waits", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm);
    const launch = await launchOf();
    const { runId, jobId } = launch;
    const { exit } = executor.submit(launch);
    assert.equal(executor.whyWaiting({ runId, jobId }), "it is being submitted to Slurm");
    const said = new Set<string | undefined>();
    slurm.onPause = (nowMs) => {
      said.add(executor.whyWaiting({ runId, jobId }));
      if (nowMs > 4000) record(launch, 0);
      if (nowMs > 4000) slurm.tasks = [];
    };
    await exit;
    assert.ok(said.has("Slurm job 1_0 waits: Priority (jobs with a higher priority go first)"), [...said].join());
    assert.equal(executor.whyWaiting({ runId, jobId }), undefined);
  });

  it("is refused with Slurm's message if Slurm refuses it", async () => {
    const slurm = new ScriptedSlurm();
    slurm.answers = [{ kind: "refused", message: "Invalid partition name specified" }];
    const { exit } = executorOn(slurm).executor.submit(await launchOf());
    assert.deepEqual(await exit, { kind: "rejected", message: "Invalid partition name specified" });
  });

  it("is refused if its container could not be found again", async () => {
    const exit = await executorOn(new ScriptedSlurm()).executor.submit(await launchOf({ container: "docker" })).exit;
    assert.match(exit.kind === "rejected" ? exit.message : "", /use apptainer/);
  });
});

describe("an attempt that an earlier server had begun", () => {
  const begun = (launch: Launch) => ({ ...launch, backend: "slurm" as const });
  const note = (launch: Launch, text = "weft-x-1 0\n") => writeFileSync(join(launch.folder, "slurm"), text);
  const inQueue = (slurm: ScriptedSlurm) =>
    slurm.put({ name: "weft-x-1", tasks: [["x"]], size: { cores: 1, ramMib: undefined, seconds: undefined } });

  it("was not begun if no submission was noted", async () => {
    const launch = await launchOf();
    assert.equal(await executorOn(new ScriptedSlurm()).executor.look(begun(launch)), "unclaimed");
  });

  it("was never begun if Slurm does not have it, and can no longer begin", async () => {
    const launch = await launchOf();
    note(launch);
    assert.equal(await executorOn(new ScriptedSlurm()).executor.look(begun(launch)), "unclaimed");
    assert.equal(readFileSync(join(launch.folder, "record"), "utf8"), "");
  });

  it("is reattached while it waits in the queue", async () => {
    const [slurm, launch] = [new ScriptedSlurm(), await launchOf()];
    note(launch);
    inQueue(slurm);
    const { executor } = executorOn(slurm);
    assert.equal(await executor.look(begun(launch)), "reattach");
    const { started, exit } = executor.reattach(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs > 3000) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(await started, "1_0");
    assert.equal(slurm.batches.length, 0);
  });

  it("is reattached while Slurm does not answer, and ends when it does", async () => {
    const [slurm, launch] = [new ScriptedSlurm(), await launchOf()];
    note(launch);
    slurm.tasks = undefined;
    const { executor } = executorOn(slurm);
    assert.equal(await executor.look(begun(launch)), "reattach");
    const { exit } = executor.reattach(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs > 60_000) slurm.tasks = [];
    };
    assert.equal(textOf(await exit), "lost BACKEND_LOST");
  });

  it("is reattached with the record that it left meanwhile", async () => {
    const [slurm, launch] = [new ScriptedSlurm(), await launchOf()];
    note(launch);
    record(launch, 4);
    const { executor } = executorOn(slurm);
    assert.equal(await executor.look(begun(launch)), "reattach");
    assert.equal(textOf(await executor.reattach(launch).exit), "exited 4");
  });
});
