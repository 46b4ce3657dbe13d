import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { NOTHING_MEASURED, type Machine, type JobExit, type KilledJob } from "../executor/executor.ts";
import { launchAt } from "../executor/testing/launch.ts";
import { Machines } from "./machines.ts";
import { FakeEngine } from "./testing/fake-engine.ts";

const LABELS = ["weft.run=r", "weft.job=r/j/1"];
const exited = (exitCode: number): JobExit => ({ kind: "exited", exitCode, used: { ...NOTHING_MEASURED, cpuMs: 12 } });
const ended = (exitCode: number): JobExit => ({ kind: "exited", exitCode, used: NOTHING_MEASURED });
const LOST: JobExit = { kind: "lost" };
const NO_MEMORY: JobExit = { kind: "rejected", message: "E2BIG" };

const CLIENT: KilledJob = { jobId: "j", attempt: 1, signals: ["SIGTERM"], found: 1, killed: 0, confirmedMs: 1 };
const LAUNCH = launchAt(temporaryFolder(), { container: "podman" });

/** Every job ends with the given exit. */
function endingWith(exit: Promise<JobExit>): Machine {
  const running = { started: Promise.resolve("1"), exit };
  return {
    submit: () => running,
    look: async () => "reattach",
    reattach: () => running,
    cancel: async () => ({ proven: true, evidence: ["scans"], jobs: [CLIENT], left: [] }),
    close: async () => {},
  };
}

/** An engine with these containers, which run unless it is said. */
function open(exit: Promise<JobExit>, containers: Readonly<Record<string, readonly string[]>> = {}, running = true) {
  const engine = new FakeEngine("podman");
  for (const [id, labels] of Object.entries(containers)) engine.live.set(id, { labels, running });
  const machines = { local: endingWith(exit) };
  const executor = new Machines({ machines, backendsOf: () => ["local"], engineOf: () => engine, log: () => {} });
  return { engine, executor };
}

describe("the end of a job in a container", () => {
  const cases: Readonly<Record<string, readonly [JobExit, JobExit, { stderr?: string; running?: boolean }?]>> = {
    "is the exit of the command": [exited(0), ended(0)],
    "is the exit of the command if it failed": [exited(3), ended(3)],
    "is the exit of the command if the engine also uses that code": [
      exited(127),
      ended(127),
      { stderr: "sh: x: no\n" },
    ],
    "is a rejection if the engine could not start the container": [
      exited(125),
      { kind: "rejected", message: "podman: no runc" },
      { stderr: "Error: no runc\n" },
    ],
    "is unknown if the engine's client was killed and the container still runs": [exited(137), LOST, { running: true }],
    "is the exit of the command if its stopped container still exists": [exited(143), ended(143), { running: false }],
    "is unknown if everything was killed": [LOST, LOST, { running: true }],
    "is a rejection if the system refused to start the client": [NO_MEMORY, NO_MEMORY],
  };
  for (const [name, [exit, expected, { stderr = "", running } = {}]] of Object.entries(cases))
    it(name, async () => {
      await writeFile(LAUNCH.stderr, stderr);
      const { engine, executor } = open(Promise.resolve(exit), running === undefined ? {} : { c1: LABELS }, running);
      assert.deepEqual(await executor.submit(LAUNCH).exit, expected);
      assert.equal(engine.live.size, 0);
    });

  it("is not checked with the engine after a success", async () => {
    const { engine, executor } = open(Promise.resolve(exited(0)), { c1: LABELS });
    assert.deepEqual(await executor.submit(LAUNCH).exit, ended(0));
    assert.equal(engine.live.size, 1);
  });

  it("does not change jobs without a container", async () => {
    const { container: _, ...plain } = LAUNCH;
    assert.deepEqual(await open(Promise.resolve(exited(137))).executor.submit(plain).exit, exited(137));
  });
});

it("does not touch containers once it is closed", async () => {
  const ending = Promise.withResolvers<JobExit>();
  const { engine, executor } = open(ending.promise, { c1: LABELS });
  const { exit } = executor.submit(LAUNCH);
  await executor.close();
  ending.resolve(LOST);
  await exit;
  assert.equal(engine.live.size, 1);
});

describe("kill", () => {
  const never = new Promise<JobExit>(() => {});

  it("removes the containers of the run and no other's", async () => {
    const { engine, executor } = open(never, { c1: LABELS, c2: ["weft.run=other"] });
    void executor.submit(LAUNCH);
    const report = await executor.cancel({ runId: "r", graceMs: 0 });
    assert.deepEqual([report.proven, report.evidence], [true, ["scans", "containers"]]);
    assert.deepEqual(
      report.jobs.map(({ jobId, found, killed }) => [jobId, found, killed]),
      [
        ["j", 1, 0],
        // For a whole run, the engine does not report to which job a container belonged.
        ["", 1, 1],
      ],
    );
    assert.deepEqual([...engine.live.keys()], ["c2"]);
  });

  it("removes only the container of one attempt", async () => {
    const { engine, executor } = open(never, { c1: LABELS, c2: ["weft.run=r", "weft.job=r/j/2"] });
    void executor.reattach(LAUNCH);
    await executor.cancel({ runId: "r", job: { jobId: "j", attempt: 1 }, graceMs: 0 });
    assert.deepEqual([...engine.live.keys()], ["c2"]);
  });

  it("removes containers of an earlier server", async () => {
    const { engine, executor } = open(never, { c1: LABELS });
    executor.containers.inherit("r", "podman");
    assert.deepEqual((await executor.cancel({ runId: "r", graceMs: 0 })).evidence, ["scans", "containers"]);
    assert.equal(engine.live.size, 0);
  });

  it("repeats a request that the engine does not answer", async () => {
    const { engine, executor } = open(never, { c1: LABELS });
    void executor.submit(LAUNCH);
    engine.silences = 2;
    assert.equal((await executor.cancel({ runId: "r", graceMs: 0 })).proven, true);
    assert.equal(engine.live.size, 0);
  });

  it("asks no engine about a run that used none", async () => {
    const { engine, executor } = open(never, { c1: LABELS });
    assert.deepEqual((await executor.cancel({ runId: "r", graceMs: 0 })).evidence, ["scans"]);
    assert.equal(engine.live.size, 1);
  });
});
