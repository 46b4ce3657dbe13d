import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ONE_CORE, textOf } from "../testing/launch.ts";
import { launchOf, record, scriptedSlurm, submitted } from "./testing/slurm-jobs.ts";

const SILENT = { kind: "unknown", message: "Socket timed out" } as const;

describe("a job on its way to Slurm", () => {
  it("shares an array with jobs of its run that request the same resources", async () => {
    const { slurm, executor } = scriptedSlurm({ arraySize: 2 });
    const launches = [
      ...["a", "b", "c"].map((jobId) => launchOf({ runId: "shared", jobId })),
      launchOf({ runId: "shared", jobId: "wide", size: { ...ONE_CORE, cores: 2 } }),
      launchOf({ runId: "other", jobId: "a" }),
    ];
    const exits = launches.map((launch) => executor.submit(launch).exit);
    slurm.onPause = () => {
      if (slurm.batches.length < 4) return;
      for (const launch of launches) record(launch, 0);
      slurm.tasks = [];
    };
    await Promise.all(exits);
    assert.deepEqual(
      slurm.batches.map(({ tasks }) => tasks.length),
      [2, 1, 1, 1],
    );
  });

  it("shares a task with other jobs that are declared short", async () => {
    const { slurm, executor } = scriptedSlurm({ pack: { jobs: 10, seconds: 60 } });
    const size = { ...ONE_CORE, seconds: 20 };
    const launches = ["a", "b", "c", "d"].map((jobId) => launchOf({ runId: "packed", jobId, size }));
    const exits = launches.map((launch) => executor.submit(launch).exit);
    slurm.onPause = () => {
      for (const launch of slurm.batches.length > 0 ? launches : []) record(launch, 0);
    };
    await Promise.all(exits);
    assert.deepEqual(
      slurm.batches.map(({ tasks }) => tasks.map((folders) => folders.length)),
      [[3, 1]],
    );
  });

  it("is not submitted again if Slurm accepted it without confirming", async () => {
    const { slurm, launch, exit } = submitted();
    slurm.answers = [SILENT];
    slurm.onPause = (nowMs) => {
      if (nowMs > 3000) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(slurm.batches.length, 1);
  });

  it("is submitted again under the same name if Slurm did not accept it", async () => {
    const { slurm, launch, exit } = submitted();
    slurm.answers = [SILENT];
    slurm.queues = false;
    slurm.onPause = () => {
      if (slurm.batches.length === 2) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(slurm.batches[0]?.name, slurm.batches[1]?.name);
  });
});

describe("an array with too many tasks", () => {
  /** Three jobs that share an array. */
  function three(runId: string) {
    const at = scriptedSlurm();
    const launches = ["a", "b", "c"].map((jobId) => launchOf({ runId, jobId }));
    return { ...at, launches, exits: launches.map((launch) => at.executor.submit(launch).exit) };
  }

  it("is split until the site accepts it", async () => {
    const { slurm, launches, exits } = three("parts");
    slurm.answers = [{ kind: "too-many", isForGood: true }];
    slurm.onPause = () => {
      for (const launch of slurm.batches.length === 4 ? launches : []) record(launch, 0);
    };
    assert.deepEqual((await Promise.all(exits)).map(textOf), ["exited 0", "exited 0", "exited 0"]);
    const tasks = launches.map(({ folder }) => [folder]);
    assert.deepEqual(
      slurm.batches.map((batch) => batch.tasks),
      [tasks, ...tasks.map((task) => [task])],
    );
  });

  it("is not submitted again if its run was ended meanwhile", async () => {
    const { slurm, executor, exits } = three("parted");
    const ended = Promise.withResolvers<unknown>();
    const submit = slurm.submit.bind(slurm);
    slurm.submit = async (batch) => {
      await submit(batch);
      ended.resolve(executor.cancel({ runId: "parted", graceMs: 0 }));
      slurm.tasks = [];
      return { kind: "too-many", isForGood: false };
    };
    assert.deepEqual((await Promise.all(exits)).map(textOf), ["lost", "lost", "lost"]);
    await ended.promise;
    assert.equal(slurm.batches.length, 1);
  });
});

describe("a Slurm that accepts no jobs", () => {
  it("is queried less and less often", async () => {
    const { slurm, launch, exit } = submitted();
    slurm.queues = false;
    slurm.answers = Array.from({ length: 8 }, () => SILENT);
    const offers: number[] = [];
    slurm.onPause = (nowMs) => {
      if (slurm.batches.length > offers.length) offers.push(nowMs);
      if (slurm.batches.length === 9) record(launch, 0);
    };
    await exit;
    const pauses = offers.slice(1, 8).map((ms, n) => ms - (offers[n] ?? 0));
    assert.deepEqual(pauses, [3000, 6000, 12_000, 24_000, 46_000, 60_000, 60_000]);
  });
});
