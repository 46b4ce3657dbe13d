import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ONE_CORE, textOf } from "../testing/launch.ts";
import { launchOf, record, scriptedSlurm, submitted } from "./testing/slurm-jobs.ts";

describe("a job that is started at Slurm", () => {
  it("is submitted once under a name in its folder, and ends according to its record", async () => {
    const { slurm, launch, exit, started } = submitted();
    slurm.onPause = () => {
      if (slurm.batches.length === 0 || slurm.tasks?.length === 0) return;
      assert.equal(readFileSync(join(launch.folder, "slurm"), "utf8"), `${slurm.batches[0]?.name} 0\n`);
      record(launch, 3);
      slurm.tasks = [];
    };
    assert.deepEqual([textOf(await exit), await started], ["exited 3", "1_0"]);
    assert.equal(slurm.batches.length, 1);
  });

  it("says why it waits", async () => {
    const { slurm, executor, launch, exit } = submitted();
    assert.equal(executor.whyWaiting(launch), "it is being submitted to Slurm");
    const said = new Set<string | undefined>();
    slurm.onPause = (nowMs) => {
      said.add(executor.whyWaiting(launch));
      if (nowMs <= 4000) return;
      record(launch, 0);
      slurm.tasks = [];
    };
    await exit;
    assert.ok(said.has("Slurm job 1_0 waits: Priority (jobs with a higher priority go first)"), [...said].join());
    assert.equal(executor.whyWaiting(launch), undefined);
  });

  it("is refused with Slurm's message if Slurm refuses it", async () => {
    const { slurm, exit } = submitted();
    slurm.answers = [{ kind: "refused", message: "Invalid partition name specified" }];
    assert.deepEqual(await exit, { kind: "rejected", message: "Invalid partition name specified" });
  });

  it("is refused if its container could not be found again", async () => {
    const exit = await scriptedSlurm().executor.submit(launchOf({ container: "docker" })).exit;
    assert.match(exit.kind === "rejected" ? exit.message : "", /use apptainer/);
  });
});

describe("an attempt that an earlier server had begun", () => {
  /** A job whose folder names a task, and a Slurm that does not have it. */
  function noted() {
    const launch = launchOf();
    writeFileSync(join(launch.folder, "slurm"), "weft-x-1 0\n");
    return { ...scriptedSlurm(), launch };
  }

  it("was not begun if no submission was noted", async () => {
    assert.equal(await scriptedSlurm().executor.look(launchOf()), "unclaimed");
  });

  it("was never begun if Slurm does not have it, and can no longer begin", async () => {
    const { executor, launch } = noted();
    assert.equal(await executor.look(launch), "unclaimed");
    assert.equal(readFileSync(join(launch.folder, "record"), "utf8"), "");
  });

  it("is reattached while it waits in the queue", async () => {
    const { slurm, executor, launch } = noted();
    slurm.put({ name: "weft-x-1", tasks: [["x"]], size: ONE_CORE });
    assert.equal(await executor.look(launch), "reattach");
    const { started, exit } = executor.reattach(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs > 3000) record(launch, 0);
    };
    assert.deepEqual([textOf(await exit), await started, slurm.batches.length], ["exited 0", "1_0", 0]);
  });

  it("is reattached while Slurm does not answer, and ends when it does", async () => {
    const { slurm, executor, launch } = noted();
    slurm.tasks = undefined;
    assert.equal(await executor.look(launch), "reattach");
    const { exit } = executor.reattach(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs > 60_000) slurm.tasks = [];
    };
    assert.equal(textOf(await exit), "lost BACKEND_LOST");
  });

  it("is reattached with the record that it left meanwhile", async () => {
    const { executor, launch } = noted();
    record(launch, 4);
    assert.equal(await executor.look(launch), "reattach");
    assert.equal(textOf(await executor.reattach(launch).exit), "exited 4");
  });
});
