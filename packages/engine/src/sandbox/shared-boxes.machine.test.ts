import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { BoxSupervisors } from "../executor/box-supervisors.ts";
import type { Launch } from "../executor/executor.ts";
import { sleepers, untilThere } from "../executor/kill/testing/hostile-programs.ts";
import { readExit } from "../executor/job-record.ts";
import { launchFields, writeLaunch } from "../executor/launch-script.ts";
import { LocalExecutor } from "../executor/local-executor.ts";
import { runProgram } from "../executor/run-program.ts";
import { openJobSandbox } from "./job-sandbox.ts";
import { sandboxPlaces } from "./sandbox-places.ts";
import { until } from "../testing/until.ts";

const root = mkdtempSync(join(tmpdir(), "weft-boxes-"));
after(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "runs"));
const places = () => sandboxPlaces({ root, runsFolder: join(root, "runs"), stores: [] }, []);
const sandbox = await openJobSandbox({ setting: "auto", places, run: runProgram, log: () => {} });

let count = 0;
async function launchOf(runId: string, script: string, { networkAccess = false } = {}): Promise<Launch> {
  const jobId = `j${++count}`;
  const runFolder = join(root, "runs", runId);
  const folder = join(runFolder, "jobs", `${jobId}@1`);
  const [outdir, tmpdir] = [join(folder, "out"), join(folder, "tmp")];
  for (const path of [outdir, tmpdir]) mkdirSync(path, { recursive: true });
  const { launch } = await sandbox.enclose({
    ...{ outdir, tmpdir, runFolder, staging: [], inplaceUpdate: false, networkAccess, streams: {} },
    realPath: async (path) => path,
  });
  return {
    ...{ backend: "local", size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{ runId, jobId, attempt: 1, folder, workdir: outdir, argv: ["bash", "-c", script, runId] },
    ...{ env: { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir }, stdin: "/dev/null" },
    ...{ stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
    ...launch,
  };
}

const skip = (await launchOf("probe", "true")).box === undefined && "no supervisor of sandboxes works here";

const executors: LocalExecutor[] = [];
after(() => Promise.all(executors.map((executor) => executor.close())));
function newExecutor(): LocalExecutor {
  const executor = new LocalExecutor({ stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS });
  executors.push(executor);
  return executor;
}

const said = ({ stdout, stderr }: Launch) => readFileSync(stderr, "utf8") + readFileSync(stdout, "utf8");
const run = async (executor: LocalExecutor, launch: Launch) => {
  const exit = await executor.start(launch).exit;
  assert.equal(exit.kind === "exited" && exit.exitCode, 0, said(launch));
  return said(launch);
};
const NAMESPACES = "(cd /proc/self/ns; readlink pid ipc net)";

function childrenOf(pid: number): readonly number[] {
  return textOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function wrapperOf({ folder }: Launch): number {
  return Number(/^pid (\d+)$/m.exec(readFileSync(join(folder, "record"), "utf8"))?.[1]);
}

/** The first process of the box of a running job. */
function boxOf(launch: Launch): number {
  const box = childrenOf(wrapperOf(launch)).find((pid) => /^NSpid:\t.*\t1$/m.test(textOf(`/proc/${pid}/status`)));
  assert.ok(box !== undefined, "no box");
  return box;
}

/** The parent of the wrapper. */
function supervisorOf(launch: Launch): number {
  return Number(/^PPid:\t(\d+)$/m.exec(textOf(`/proc/${wrapperOf(launch)}/status`))?.[1]);
}

const lives = (pid: number) =>
  !/^State:\t[ZX]/m.test(textOf(`/proc/${pid}/status`)) && textOf(`/proc/${pid}/status`) !== "";

/** Starts a job that runs until its folder holds `go`; resolves when it runs. */
async function startWaiting(executor: LocalExecutor, runId: string, before = "") {
  const launch = await launchOf(runId, `${before}\nexec 3>up; until [ -e go ]; do sleep 0.02; done; echo went on`);
  const { exit } = executor.start(launch);
  await until(() => existsSync(join(launch.workdir, "up")));
  return { launch, exit, go: () => writeFileSync(join(launch.workdir, "go"), "") };
}

describe("the boxes of sandboxed jobs", { skip }, () => {
  it("serve the jobs of a run one after another, and no other run", async () => {
    const executor = newExecutor();
    const first = await run(executor, await launchOf("run-a", NAMESPACES));
    const second = await run(executor, await launchOf("run-a", NAMESPACES));
    const other = await run(executor, await launchOf("run-b", NAMESPACES));
    assert.equal(second, first);
    for (const namespace of first.trim().split("\n")) assert.ok(!other.includes(namespace), namespace);
    assert.ok(!first.includes(readlinkSync("/proc/self/ns/net")));
  });

  it("hold one job at a time", async () => {
    const executor = newExecutor();
    const waiting = await startWaiting(executor, "run-c", NAMESPACES);
    const meanwhile = await run(executor, await launchOf("run-c", NAMESPACES));
    const theirs = said(waiting.launch).trim().split("\n");
    assert.equal(theirs.length, 3);
    for (const namespace of theirs) assert.ok(!meanwhile.includes(namespace), namespace);
    waiting.go();
    await waiting.exit;
  });

  it("have the network of the machine for the jobs that may use it, and no others", async () => {
    const executor = newExecutor();
    const network = "readlink /proc/self/ns/net";
    const online = await run(executor, await launchOf("run-d", network, { networkAccess: true }));
    const closed = await run(executor, await launchOf("run-d", network));
    assert.equal(online.trim(), readlinkSync("/proc/self/ns/net"));
    assert.notEqual(closed, online);
  });

  it("keep nothing of a job for the next one", async () => {
    const executor = newExecutor();
    const leave = `(setsid sleep 300 &) ; echo x >/tmp/left; echo x >/dev/shm/left; echo x >"$TMPDIR/more"; sleep 0.1`;
    await run(executor, await launchOf("run-e", leave));
    const next = await run(executor, await launchOf("run-e", `ls /tmp /dev/shm "$TMPDIR"; ls -d /proc/[0-9]* | wc -l`));
    assert.deepEqual(next.match(/left|more/g), null, next);
    assert.ok(Number(/(\d+)\n$/.exec(next)?.[1]) <= 4, next);
  });

  it("serve no other job when memory or queues are left in them that belong to no process", async () => {
    const executor = newExecutor();
    const openQueue = process.arch === "x64" ? 240 : 180;
    // Not by the numbers of the namespaces: the kernel gives those of an ended box to the next one.
    for (const [name, leave, find] of [
      ["shared memory", "shmget(7, 100, 01600)", "shmget(7, 0, 0)"],
      ["semaphores", "semget(7, 1, 01600)", "semget(7, 0, 0)"],
      ["messages", "msgget(7, 01600)", "msgget(7, 0)"],
      ["a queue", `queue(0102)`, `queue(0)`],
    ] as const) {
      const perl = (call: string) =>
        `perl -e 'sub queue { my $id = syscall(${openQueue}, my $name = "left", $_[0], 0600, 0); $id < 0 ? undef : $id }
          print defined(${call}) ? "there" : "none"'`;
      assert.equal(await run(executor, await launchOf("run-n", perl(leave))), "there", name);
      assert.equal(await run(executor, await launchOf("run-n", perl(find))), "none", name);
    }
  });

  it("are forgotten when their first process is killed", async () => {
    const executor = newExecutor();
    const waiting = await startWaiting(executor, "run-o");
    const box = boxOf(waiting.launch);
    waiting.go();
    await waiting.exit;
    process.kill(box, "SIGKILL");
    await until(() => !lives(box));
    assert.equal(await run(executor, await launchOf("run-o", "echo next")), "next\n");
  });

  it("give a job no open file, and no way to the first process", async () => {
    const script = `ls /proc/self/fd | tr '\n' ' '; echo
      for f in /proc/1/fd/* /proc/1/root/ /proc/1/cwd/ /proc/1/ns/*; do ls -L "$f" >/dev/null 2>&1 && echo "opened $f"; done
      cat /proc/1/environ /proc/1/mem 2>/dev/null; kill -KILL 1; kill -STOP 1; echo done`;
    assert.equal(await run(newExecutor(), await launchOf("run-f", script)), "0 1 2 3 \ndone\n");
  });

  it("count what a job has left to others, when it has ended", async () => {
    const busy = "i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done; : >done";
    const script = `(setsid bash -c '${busy}' &); until [ -e done ]; do sleep 0.02; done`;
    const exit = await newExecutor().start(await launchOf("run-g", script)).exit;
    assert.ok(exit.kind === "exited");
    assert.ok((exit.used.cpuMs ?? 0) >= 100, JSON.stringify(exit.used));
  });

  it("end when they have had nothing to do for a while", async () => {
    const executor = newExecutor();
    const waiting = await startWaiting(executor, "run-h");
    const supervisor = supervisorOf(waiting.launch);
    const box = boxOf(waiting.launch);
    waiting.go();
    await waiting.exit;
    await until(() => !lives(box));
    assert.ok(lives(supervisor));
  });
});

describe("a box ends, and its job is lost, when", { skip }, () => {
  it("the wrapper is killed", async () => {
    const executor = newExecutor();
    const { launch, exit } = await startWaiting(executor, "run-i");
    const box = boxOf(launch);
    process.kill(wrapperOf(launch), "SIGKILL");
    assert.deepEqual(await exit, { kind: "lost" });
    await until(() => !lives(box));
  });

  it("the wrapper and the supervisor are killed", async () => {
    const executor = newExecutor();
    const { launch, exit } = await startWaiting(executor, "run-j");
    const supervisor = supervisorOf(launch);
    const box = boxOf(launch);
    for (const pid of [supervisor, wrapperOf(launch)]) process.kill(pid, "SIGKILL");
    assert.deepEqual(await exit, { kind: "lost" });
    await until(() => !lives(box));
  });
});

describe("when the supervisor of sandboxes is killed", { skip }, () => {
  it("its jobs go on, another one starts the next jobs, and nothing is left in the end", async () => {
    const executor = newExecutor();
    const { launch, exit, go } = await startWaiting(executor, "run-k");
    const supervisor = supervisorOf(launch);
    const box = boxOf(launch);
    process.kill(supervisor, "SIGKILL");
    await until(() => !lives(supervisor));
    assert.equal(await run(executor, await launchOf("run-k", "echo next")), "next\n");
    go();
    const end = await exit;
    assert.equal(end.kind === "exited" && end.exitCode, 0);
    await until(() => !lives(box));
  });
});

describe("when the server lets go of a sandboxed job", { skip }, () => {
  it("the job goes on, the next server takes it up, and nothing is left in the end", async () => {
    const before = new LocalExecutor({ stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS });
    const { launch, go } = await startWaiting(before, "run-l");
    const supervisor = supervisorOf(launch);
    await before.close();
    const executor = newExecutor();
    assert.equal(await executor.inspect(launch), "reattach");
    const { exit } = executor.reattach(launch);
    go();
    const end = await exit;
    assert.equal(end.kind === "exited" && end.exitCode, 0);
    assert.equal(said(launch), "went on\n");
    await until(() => !lives(supervisor));
  });

  it("the next server can end the job, and nothing is left in the end", async () => {
    const before = new LocalExecutor({ stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS });
    const token = `boxes-${process.pid}`;
    const { launch } = await startWaiting(before, token, `(exec -a "$0" sleep 300) &`);
    await untilThere(token, 1);
    const supervisor = supervisorOf(launch);
    await before.close();
    const executor = newExecutor();
    const running = executor.reattach(launch);
    const report = await executor.kill({ runId: token, graceMs: 100 });
    assert.deepEqual([report.proven, sleepers(token)], [true, []]);
    await running.exit;
    await until(() => !lives(supervisor));
  });
});

describe("when something is mounted", { skip }, () => {
  it("another supervisor starts the next jobs, and those of the first one go on", async () => {
    const machine = { mounts: "one", ms: 0 };
    const supervisors = new BoxSupervisors({ readMounts: () => machine.mounts, now: () => machine.ms });
    const begin = async () => {
      const launch = await launchOf("run-p", "until [ -e go ]; do sleep 0.02; done");
      assert.ok(launch.box !== undefined);
      assert.equal(writeLaunch(launch, launchFields), undefined);
      supervisors.start(launch, launch.box, () => {});
      await until(() => textOf(join(launch.folder, "record")) !== "");
      return launch;
    };
    const first = await begin();
    machine.mounts = "two";
    const soon = await begin();
    machine.ms += 250;
    const second = await begin();
    assert.equal(supervisorOf(soon), supervisorOf(first));
    assert.notEqual(supervisorOf(second), supervisorOf(first));
    for (const launch of [first, soon, second]) {
      writeFileSync(join(launch.workdir, "go"), "");
      await until(() => readExit(launch.folder)?.exitCode === 0);
    }
    await supervisors.close();
  });
});

describe("a supervisor that cannot start", () => {
  it("fails its jobs instead of being started for ever", async () => {
    const launch = await launchOf("run-m", "true");
    const box = { supervisor: ["/bin/false"], key: "run-m", view: [], streams: {} };
    const exit = await newExecutor().start({ ...launch, sandbox: undefined, box }).exit;
    assert.equal(exit.kind === "rejected" && exit.message, "/bin/false exits before it starts a job");
  });
});
