import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { NOTHING_MEASURED } from "../executor/executor.ts";
import type { Machine, JobExit, KilledJob, Launch } from "../executor/executor.ts";
import { Machines } from "./machines.ts";
import { FakeEngine } from "./testing/fake-engine.ts";

const root = temporaryFolder();
const LABELS = ["weft.run=r", "weft.job=r/j/1"];
const exited = (exitCode: number): JobExit => ({ kind: "exited", exitCode, used: { ...NOTHING_MEASURED, cpuMs: 12 } });
const ended = (exitCode: number): JobExit => ({ kind: "exited", exitCode, used: NOTHING_MEASURED });

const CLIENT: KilledJob = { jobId: "j", attempt: 1, signals: ["SIGTERM"], found: 1, killed: 0, confirmedMs: 1 };

const LAUNCH: Launch = {
  runId: "r",
  jobId: "j",
  attempt: 1,
  backend: "local",
  size: { cores: 1, ramMib: undefined, seconds: undefined },
  folder: root,
  workdir: root,
  argv: ["podman", "run"],
  env: {},
  stdin: "/dev/null",
  stdout: join(root, "stdout"),
  stderr: join(root, "stderr"),
  container: "podman",
};

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

function open(exit: Promise<JobExit>) {
  const engine = new FakeEngine("podman");
  const executor = new Machines({
    machines: { local: endingWith(exit) },
    backendsOf: () => ["local"],
    engineOf: () => engine,
    log: () => {},
  });
  return { engine, executor };
}

describe("the end of a job in a container", () => {
  const cases: Readonly<Record<string, readonly [JobExit, string, boolean | undefined, JobExit, number]>> = {
    "is the exit of the command": [exited(0), "", undefined, ended(0), 0],
    "is the exit of the command if it failed": [exited(3), "", undefined, ended(3), 0],
    "is the exit of the command if the engine also uses that code": [
      exited(127),
      "sh: x: not found\n",
      undefined,
      ended(127),
      0,
    ],
    "is a rejection if the engine could not start the container": [
      exited(125),
      "Error: no runc\n",
      undefined,
      { kind: "rejected", message: "podman: no runc" },
      0,
    ],
    "is unknown if the engine's client was killed and the container still runs": [
      exited(137),
      "",
      true,
      { kind: "lost" },
      0,
    ],
    "is the exit of the command if its stopped container still exists": [exited(143), "", false, ended(143), 0],
    "is unknown if everything was killed": [{ kind: "lost" }, "", true, { kind: "lost" }, 0],
    "is a rejection if the system refused to start the client": [
      { kind: "rejected", message: "E2BIG" },
      "",
      undefined,
      { kind: "rejected", message: "E2BIG" },
      0,
    ],
    "is not checked with the engine after a success": [exited(0), "", true, ended(0), 1],
  };
  for (const [name, [exit, stderr, running, expected, left]] of Object.entries(cases))
    it(name, async () => {
      await writeFile(LAUNCH.stderr, stderr);
      const { engine, executor } = open(Promise.resolve(exit));
      if (running !== undefined) engine.live.set("c1", { labels: LABELS, running });
      assert.deepEqual(await executor.submit(LAUNCH).exit, expected);
      assert.equal(engine.live.size, left);
    });

  it("does not change jobs without a container", async () => {
    const { container: _, ...plain } = LAUNCH;
    assert.deepEqual(await open(Promise.resolve(exited(137))).executor.submit(plain).exit, exited(137));
  });
});

it("does not touch containers once it is closed", async () => {
  const ending = Promise.withResolvers<JobExit>();
  const { engine, executor } = open(ending.promise);
  const { exit } = executor.submit(LAUNCH);
  engine.live.set("c1", { labels: LABELS, running: true });
  await executor.close();
  ending.resolve({ kind: "lost" });
  await exit;
  assert.equal(engine.live.size, 1);
});

describe("kill", () => {
  const never = new Promise<JobExit>(() => {});

  it("removes the containers of the run and no other's", async () => {
    const { engine, executor } = open(never);
    void executor.submit(LAUNCH);
    engine.live.set("c1", { labels: LABELS, running: true });
    engine.live.set("c2", { labels: ["weft.run=other"], running: true });
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
    const { engine, executor } = open(never);
    void executor.reattach(LAUNCH);
    engine.live.set("c1", { labels: LABELS, running: true });
    engine.live.set("c2", { labels: ["weft.run=r", "weft.job=r/j/2"], running: true });
    await executor.cancel({ runId: "r", job: { jobId: "j", attempt: 1 }, graceMs: 0 });
    assert.deepEqual([...engine.live.keys()], ["c2"]);
  });

  it("removes containers of an earlier server", async () => {
    const { engine, executor } = open(never);
    executor.containers.inherit("r", "podman");
    engine.live.set("c1", { labels: LABELS, running: true });
    assert.deepEqual((await executor.cancel({ runId: "r", graceMs: 0 })).evidence, ["scans", "containers"]);
    assert.equal(engine.live.size, 0);
  });

  it("repeats a request that the engine does not answer", async () => {
    const { engine, executor } = open(never);
    void executor.submit(LAUNCH);
    engine.live.set("c1", { labels: LABELS, running: true });
    engine.silences = 2;
    assert.equal((await executor.cancel({ runId: "r", graceMs: 0 })).proven, true);
    assert.equal(engine.live.size, 0);
  });

  it("asks no engine about a run that used none", async () => {
    const { engine, executor } = open(never);
    engine.live.set("c1", { labels: LABELS, running: true });
    assert.deepEqual((await executor.cancel({ runId: "r", graceMs: 0 })).evidence, ["scans"]);
    assert.equal(engine.live.size, 1);
  });
});
