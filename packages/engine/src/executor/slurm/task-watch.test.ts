import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ONE_CORE, textOf } from "../testing/launch.ts";
import { claim, launchOf, record, scriptedSlurm, SECONDS, submitted } from "./testing/slurm-jobs.ts";

/** Two short jobs, which share a task once they are submitted. */
function pair(runId: string) {
  const job = { runId, size: { ...ONE_CORE, seconds: 20 } };
  const [first, second] = [launchOf({ ...job, jobId: "a" }), launchOf({ ...job, jobId: "b" })];
  return { ...scriptedSlurm({ pack: { jobs: 2, seconds: 60 } }), first, second };
}

describe("a job that shares its task", () => {
  it("counts as running in a shared task once its turn has come", async () => {
    const { slurm, executor, first, second } = pair("turns");
    const [one, other] = [executor.submit(first), executor.submit(second)];
    const heard: string[] = [];
    void one.started.then(() => heard.push("first"));
    void other.started.then(() => heard.push("second"));
    slurm.onPause = (nowMs) => {
      if (nowMs < 3000) return;
      slurm.tasks = slurm.tasks?.map((task) => ({ ...task, state: "RUNNING" }));
      if (nowMs < 20_000) claim(first);
      else if (nowMs < 30_000) {
        heard.push("twenty seconds");
        record(first, 0);
      } else record(second, 0);
    };
    await Promise.all([one.exit, other.exit]);
    assert.deepEqual([...new Set(heard)], ["first", "twenty seconds", "second"]);
  });

  it("is submitted again, alone, if its task ended before its turn", async () => {
    const { slurm, executor, first, second } = pair("again");
    const exits = [executor.submit(first).exit, executor.submit(second).exit];
    slurm.onPause = () => {
      const [batch, again] = slurm.batches;
      if (batch === undefined) return;
      if (again === undefined) {
        claim(first);
        slurm.tasks = [];
        slurm.ended = [{ name: batch.name, index: 0, state: "NODE_FAIL", exitCode: 0, node: "n1", maxRssBytes: null }];
      } else record(second, 0, "2_0");
    };
    assert.deepEqual((await Promise.all(exits)).map(textOf), ["lost NODE_FAIL", "exited 0"]);
    assert.deepEqual(
      slurm.batches.map(({ tasks }) => tasks),
      [[[first.folder, second.folder]], [[second.folder]]],
    );
  });
});

describe("a Slurm that does not answer", () => {
  it("does not change the state of a job, regardless of the duration", async () => {
    const { slurm, launch, exit, logged } = submitted();
    slurm.onPause = (nowMs) => {
      if (nowMs < 2000) return;
      const isDown = nowMs < 100_000;
      slurm.tasks = isDown ? undefined : [];
      if (!isDown) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.deepEqual(logged, [
      "Slurm does not respond; its jobs continue and will be checked again",
      "Slurm responds again",
    ]);
  });

  it("is queried less and less often", async () => {
    const { slurm, launch, exit } = submitted();
    let looksWhenDown = 0;
    slurm.onPause = (nowMs) => {
      if (nowMs < 2000) return;
      const isDown = nowMs < 602_000;
      slurm.tasks = isDown ? undefined : [];
      if (isDown) looksWhenDown = slurm.looks;
      else record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.ok(looksWhenDown < 20, `${looksWhenDown} looks in ten minutes`);
  });
});

describe("a job that left Slurm's queue", () => {
  it("is lost with Slurm's cause once its record must be visible, and can no longer begin", async () => {
    const { slurm, launch, exit } = submitted();
    let goneMs: number | undefined;
    let lastMs = 0;
    slurm.onPause = (nowMs) => {
      lastMs = nowMs;
      const name = slurm.batches[0]?.name;
      if (name === undefined || goneMs !== undefined) return;
      goneMs = nowMs;
      slurm.tasks = [];
      slurm.ended = [{ name, index: 0, state: "CANCELLED", exitCode: 0, node: "", maxRssBytes: null }];
    };
    assert.equal(textOf(await exit), "lost BACKEND_LOST");
    assert.ok(lastMs - (goneMs ?? 0) > SECONDS.latencyMs);
    assert.equal(readFileSync(join(launch.folder, "record"), "utf8"), "");
  });

  it("continues if another Slurm task has it", async () => {
    const { slurm, launch, exit } = submitted();
    slurm.onPause = (nowMs) => {
      if (slurm.batches.length === 0) return;
      if (nowMs < 30_000) {
        claim(launch, "77_0");
        slurm.tasks = [{ name: "weft-again", index: 0, id: "77_0", state: "RUNNING", reason: "None", node: "n1" }];
      } else record(launch, 0, "77_0");
    };
    assert.equal(textOf(await exit), "exited 0");
  });
});

describe("a job that Slurm has forgotten", () => {
  it("is submitted again as the same attempt if no node had started it", async () => {
    const { slurm, launch, exit } = submitted();
    slurm.onPause = () => {
      if (slurm.batches.length === 1) slurm.tasks = [];
      if (slurm.batches.length === 2) record(launch, 0, "2_0");
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.deepEqual(
      slurm.batches.map(({ tasks }) => tasks),
      [[[launch.folder]], [[launch.folder]]],
    );
  });

  it("is lost if Slurm forgets it every time", async () => {
    const { slurm, launch, exit } = submitted();
    slurm.queues = false;
    assert.equal(textOf(await exit), "lost BACKEND_LOST");
    assert.equal(slurm.batches.length, 6);
    assert.equal(readFileSync(join(launch.folder, "record"), "utf8"), "");
  });
});

describe("a job", () => {
  it("in an unknown state counts as running as long as Slurm lists it", async () => {
    const { slurm, launch, exit } = submitted();
    slurm.onPause = (nowMs) => {
      const name = slurm.batches[0]?.name;
      if (name === undefined) return;
      claim(launch);
      slurm.tasks = [];
      slurm.ended = [{ name, index: 0, state: "HIBERNATING", exitCode: 0, node: "n1", maxRssBytes: null }];
      if (nowMs > 600_000) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
  });

  it("counts as running only once its node has begun it; until then, its page explains the wait", async () => {
    const { slurm, launch, executor, logged, started, exit } = submitted();
    const said: string[] = [];
    void started.then(() => said.push("started"));
    slurm.onPause = (nowMs) => {
      slurm.tasks = slurm.tasks?.map((task) => ({ ...task, state: "RUNNING", reason: "None" }));
      const why = executor.whyWaiting(launch);
      if (why?.startsWith("Slurm job") === true && said.at(-1) !== why && nowMs < 240_000) said.push(why);
      if (nowMs > 240_000) claim(launch);
      if (nowMs > 250_000) record(launch, 0);
    };
    await exit;
    const isLate = (minutes: number) =>
      `Slurm job 1_0 has not begun, although Slurm has listed it as running for ${minutes} minutes: its node may not see the shared folder, or Slurm has lost it; \`scancel 1_0\` cancels it`;
    assert.deepEqual(said, ["Slurm job 1_0 has a node and is about to begin", isLate(2), isLate(3), "started"]);
    assert.deepEqual(logged, ["a job has not begun, although Slurm lists it as running"]);
  });
});
