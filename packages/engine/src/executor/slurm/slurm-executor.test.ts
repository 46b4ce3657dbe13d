import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { attemptFoldersOf } from "../../run/attempt-folders.ts";
import type { JobExit, Launch } from "../executor.ts";
import { SlurmExecutor } from "./slurm-executor.ts";
import { DEFAULT_SLURM } from "./slurm-settings.ts";
import type { SlurmSettings } from "./slurm-settings.ts";
import { ScriptedSlurm } from "./testing/scripted-slurm.ts";

const root = mkdtempSync(join(tmpdir(), "weft-slurm-"));
after(() => rmSync(root, { recursive: true }));
const SECONDS = { pollMs: 1000, latencyMs: 5000 };

function executorOn(slurm: ScriptedSlurm, settings: Partial<SlurmSettings> = {}) {
  const told: string[] = [];
  const executor = new SlurmExecutor({
    settings: { ...DEFAULT_SLURM, ...SECONDS, ...settings },
    client: slurm,
    clock: slurm.clock,
    log: (_level, message) => told.push(message),
    attemptFolders: (place) => attemptFoldersOf(root, place),
  });
  after(() => executor.close());
  return { executor, told };
}

let count = 0;
async function launchOf(more: Partial<Launch> = {}): Promise<Launch> {
  const runId = more.runId ?? `run${++count}`;
  const jobId = more.jobId ?? "j";
  const folder = join(root, runId, "jobs", `${jobId}@1`);
  await mkdir(join(folder, "out"), { recursive: true });
  return {
    ...{ runId, jobId, attempt: 1, backend: "slurm", size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{ folder, workdir: join(folder, "out"), argv: ["true"], env: {} },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
    ...more,
  };
}

/** What the wrapper on a node does first, and last. */
const claim = ({ folder }: Launch, id = "1_0") =>
  writeFileSync(join(folder, "record"), `slurm ${id} n1\npid 7\nboot b\nstat \n`);
const record = (launch: Launch, code: number, id?: string) => {
  claim(launch, id);
  writeFileSync(join(launch.folder, "record"), `exit ${code}\n`, { flag: "a" });
};
const textOf = (exit: JobExit) =>
  [exit.kind, ...("exitCode" in exit ? [exit.exitCode] : []), ...("cause" in exit ? [exit.cause?.code] : [])].join(" ");

describe("a job that is started at Slurm", () => {
  it("is submitted once under a name that its folder knows, and ends as its record says", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm);
    const launch = await launchOf();
    const running = executor.start(launch);
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

  it("shares an array with others of its run that ask for the same", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm, { arraySize: 2 });
    const size = { cores: 2, ramMib: undefined, seconds: undefined };
    const launches = [
      await launchOf({ runId: "shared", jobId: "a" }),
      await launchOf({ runId: "shared", jobId: "b" }),
      await launchOf({ runId: "shared", jobId: "c" }),
      await launchOf({ runId: "shared", jobId: "wide", size }),
      await launchOf({ runId: "other", jobId: "a" }),
    ];
    const exits = launches.map((launch) => executor.start(launch).exit);
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

  it("shares a task with others that are short by their own word", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm, { pack: { jobs: 10, seconds: 60 } });
    const size = { cores: 1, ramMib: undefined, seconds: 20 };
    const launches = await Promise.all(["a", "b", "c", "d"].map((jobId) => launchOf({ runId: "packed", jobId, size })));
    const exits = launches.map((launch) => executor.start(launch).exit);
    slurm.onPause = () => {
      for (const launch of slurm.batches.length > 0 ? launches : []) record(launch, 0);
    };
    await Promise.all(exits);
    assert.deepEqual(
      slurm.batches.map(({ tasks }) => tasks.map((folders) => folders.length)),
      [[3, 1]],
    );
  });

  it("runs in a shared task from when its own turn has come", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm, { pack: { jobs: 2, seconds: 60 } });
    const size = { cores: 1, ramMib: undefined, seconds: 20 };
    const [first, second] = [
      await launchOf({ runId: "turns", jobId: "a", size }),
      await launchOf({ runId: "turns", jobId: "b", size }),
    ];
    const [one, other] = [executor.start(first), executor.start(second)];
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

  it("is submitted again by itself when its task ended before its turn", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm, { pack: { jobs: 2, seconds: 60 } });
    const size = { cores: 1, ramMib: undefined, seconds: 20 };
    const [first, second] = [
      await launchOf({ runId: "again", jobId: "a", size }),
      await launchOf({ runId: "again", jobId: "b", size }),
    ];
    const exits = [executor.start(first).exit, executor.start(second).exit];
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

  it("says what it waits for", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm);
    const launch = await launchOf();
    const { runId, jobId } = launch;
    const { exit } = executor.start(launch);
    assert.equal(executor.whyWaiting({ runId, jobId }), "it is about to be submitted to Slurm");
    const said = new Set<string | undefined>();
    slurm.onPause = (nowMs) => {
      said.add(executor.whyWaiting({ runId, jobId }));
      if (nowMs > 4000) record(launch, 0);
      if (nowMs > 4000) slurm.tasks = [];
    };
    await exit;
    assert.ok(said.has("Slurm job 1_0 waits: Priority (jobs of higher priority go first)"), [...said].join());
    assert.equal(executor.whyWaiting({ runId, jobId }), undefined);
  });

  it("is refused with Slurm's words where Slurm refuses it", async () => {
    const slurm = new ScriptedSlurm();
    slurm.answers = [{ kind: "refused", message: "Invalid partition name specified" }];
    const { exit } = executorOn(slurm).executor.start(await launchOf());
    assert.deepEqual(await exit, { kind: "rejected", message: "Invalid partition name specified" });
  });

  it("is refused where its container could not be found again", async () => {
    const exit = await executorOn(new ScriptedSlurm()).executor.start(await launchOf({ container: "docker" })).exit;
    assert.match(exit.kind === "rejected" ? exit.message : "", /use apptainer/);
  });

  it("is not submitted again where Slurm took it without saying so", async () => {
    const slurm = new ScriptedSlurm();
    slurm.answers = [{ kind: "unknown", message: "Socket timed out" }];
    const launch = await launchOf();
    const { exit } = executorOn(slurm).executor.start(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs > 3000) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(slurm.batches.length, 1);
  });

  it("is submitted again under the same name where Slurm did not take it", async () => {
    const slurm = new ScriptedSlurm();
    slurm.answers = [{ kind: "unknown", message: "Socket timed out" }];
    slurm.queues = false;
    const launch = await launchOf();
    const { exit } = executorOn(slurm).executor.start(launch);
    slurm.onPause = () => {
      if (slurm.batches.length === 2) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(slurm.batches[0]?.name, slurm.batches[1]?.name);
  });
});

describe("a Slurm that does not answer", () => {
  it("is no news of a job, however long that lasts", async () => {
    const slurm = new ScriptedSlurm();
    const { executor, told } = executorOn(slurm);
    const launch = await launchOf();
    const { exit } = executor.start(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs < 2000) return;
      const isDown = nowMs < 100_000;
      slurm.tasks = isDown ? undefined : [];
      if (!isDown) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.deepEqual(told, [
      "Slurm does not answer; jobs that are with it go on and are asked about again",
      "Slurm answers again",
    ]);
  });
});

describe("a job that left Slurm's queue", () => {
  it("is waited for until its record may be seen, then lost for Slurm's reason, and cannot be begun any more", async () => {
    const slurm = new ScriptedSlurm();
    const launch = await launchOf();
    const { exit } = executorOn(slurm).executor.start(launch);
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

  it("runs on where another task of Slurm's has it", async () => {
    const slurm = new ScriptedSlurm();
    const launch = await launchOf();
    const { exit } = executorOn(slurm).executor.start(launch);
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

describe("an attempt that an earlier server had begun", () => {
  const begun = (launch: Launch) => ({ ...launch, backend: "slurm" as const });
  const note = (launch: Launch, text = "weft-x-1 0\n") => writeFileSync(join(launch.folder, "slurm"), text);
  const inQueue = (slurm: ScriptedSlurm) =>
    slurm.put({ name: "weft-x-1", tasks: [["x"]], size: { cores: 1, ramMib: undefined, seconds: undefined } });

  it("was not begun where nothing was about to be submitted", async () => {
    const launch = await launchOf();
    assert.equal(await executorOn(new ScriptedSlurm()).executor.takeUp(begun(launch)), "unclaimed");
  });

  it("was not begun where Slurm does not have it, and cannot be begun any more", async () => {
    const launch = await launchOf();
    note(launch);
    assert.equal(await executorOn(new ScriptedSlurm()).executor.takeUp(begun(launch)), "unclaimed");
    assert.equal(readFileSync(join(launch.folder, "record"), "utf8"), "");
  });

  it("is adopted while it waits in the queue", async () => {
    const [slurm, launch] = [new ScriptedSlurm(), await launchOf()];
    note(launch);
    inQueue(slurm);
    const { executor } = executorOn(slurm);
    assert.equal(await executor.takeUp(begun(launch)), "adopt");
    const { started, exit } = executor.adopt(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs > 3000) record(launch, 0);
    };
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(await started, "1_0");
    assert.equal(slurm.batches.length, 0);
  });

  it("is adopted while Slurm does not answer, and ends when it does", async () => {
    const [slurm, launch] = [new ScriptedSlurm(), await launchOf()];
    note(launch);
    slurm.tasks = undefined;
    const { executor } = executorOn(slurm);
    assert.equal(await executor.takeUp(begun(launch)), "adopt");
    const { exit } = executor.adopt(launch);
    slurm.onPause = (nowMs) => {
      if (nowMs > 60_000) slurm.tasks = [];
    };
    assert.equal(textOf(await exit), "lost BACKEND_LOST");
  });

  it("is adopted with the record that it left meanwhile", async () => {
    const [slurm, launch] = [new ScriptedSlurm(), await launchOf()];
    note(launch);
    record(launch, 4);
    const { executor } = executorOn(slurm);
    assert.equal(await executor.takeUp(begun(launch)), "adopt");
    assert.equal(textOf(await executor.adopt(launch).exit), "exited 4");
  });
});

describe("the end of a run at Slurm", () => {
  it("is proven by three looks that find nothing of it, and tells what was ended", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm);
    const [one, other] = [await launchOf({ runId: "ends", jobId: "a" }), await launchOf({ runId: "ends", jobId: "b" })];
    const exits = [executor.start(one).exit, executor.start(other).exit];
    slurm.onPause = () => {
      if (slurm.batches.length > 0) slurm.onPause = () => {};
    };
    while (slurm.batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const before = slurm.looks;
    const report = await executor.kill({ runId: "ends", graceMs: 1000 });
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

  it("takes what does not heed the first signal by the second", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm);
    const launch = await launchOf({ runId: "deaf" });
    writeFileSync(join(launch.folder, "slurm"), "weft-deaf-1 0\n");
    slurm.tasks = [{ name: "weft-deaf-1", index: 0, id: "9_0", state: "RUNNING", reason: "None", node: "n1" }];
    slurm.onCancel = (_ids, now) => {
      if (now) slurm.tasks = [];
    };
    const report = await executor.kill({ runId: "deaf", graceMs: 1000 });
    assert.deepEqual([report.proven, report.jobs[0]?.killed], [true, 1]);
    assert.equal(slurm.cancelled.at(-1), "kill 9_0");
  });

  it("is not proven while Slurm does not answer", async () => {
    const slurm = new ScriptedSlurm();
    slurm.tasks = undefined;
    const { proven } = await executorOn(slurm).executor.kill({ runId: "silent", graceMs: 1000 });
    assert.equal(proven, false);
  });

  it("takes back what Slurm was not told of yet", async () => {
    const slurm = new ScriptedSlurm();
    const { executor } = executorOn(slurm);
    const { exit } = executor.start(await launchOf({ runId: "early" }));
    const [{ proven }] = await Promise.all([executor.kill({ runId: "early", graceMs: 0 }), exit]);
    assert.deepEqual([proven, slurm.batches.length], [true, 0]);
  });

  it("leaves the jobs of other runs alone", async () => {
    const slurm = new ScriptedSlurm();
    slurm.tasks = [{ name: "weft-mine2-1", index: 0, id: "9_0", state: "RUNNING", reason: "None", node: "n1" }];
    await executorOn(slurm).executor.kill({ runId: "mine", graceMs: 0 });
    assert.deepEqual(slurm.cancelled, []);
  });
});

it("a run whose folders cannot be read is not called ended", async () => {
  const slurm = new ScriptedSlurm();
  const executor = new SlurmExecutor({
    settings: DEFAULT_SLURM,
    client: slurm,
    clock: slurm.clock,
    log: () => {},
    attemptFolders: () => {
      throw Object.assign(new Error("stale file handle"), { code: "ESTALE" });
    },
  });
  const { proven } = await executor.kill({ runId: "stale", graceMs: 0 });
  assert.equal(proven, false);
  await executor.close();
});
