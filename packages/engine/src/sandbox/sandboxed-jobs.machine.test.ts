// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import type { Launch, LaunchSandbox } from "../executor/executor.ts";
import { LocalExecutor, type Guards } from "../executor/local/local-executor.ts";
import { LEAF, procText, PROGRAMS, sleepers, untilThere } from "../executor/kill/testing/hostile-programs.ts";
import { launchIn, textOf } from "../executor/testing/launch.ts";
import { runProgram } from "../executor/run-program.ts";
import { openJobSandbox } from "./job-sandbox.ts";
import { sandboxPlaces } from "./sandbox-places.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { until } from "../testing/until.ts";

const root = temporaryFolder({ "runs/": "" });
const places = () => sandboxPlaces({ root, runsFolder: join(root, "runs"), stores: [] }, []);
const sandbox = await openJobSandbox({ setting: "auto", places, run: runProgram, log: () => {} });
const enclosed = (outdir: string, tmpdir: string, runFolder: string, streams: LaunchSandbox["streams"] = {}) => {
  const realPath = async (path: string) => path;
  const rights = { staging: [], inplaceUpdate: false, networkAccess: false, realPath };
  return sandbox.enclose({ outdir, tmpdir, runFolder, ...rights }, streams);
};

let count = 0;
const folderOf = (number: number) => join(root, "runs", `sandboxed-${process.pid}-${number}-`, "jobs/j@1");
async function launchOf(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  streams: LaunchSandbox["streams"] = {},
): Promise<Launch> {
  const folder = folderOf(++count);
  const tmpdir = join(folder, "tmp");
  mkdirSync(tmpdir, { recursive: true });
  const launch = launchIn(folder, {
    ...{ runId: `sandboxed-${process.pid}-${count}-`, argv },
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir, ...env },
  });
  return { ...launch, ...(await enclosed(launch.workdir, tmpdir, join(folder, "../.."), streams)).launch };
}

/** Each script knows its token as `$0`. */
const scripted = async (script: string) => {
  const launch = await launchOf([]);
  return { ...launch, argv: ["bash", "-c", LEAF + script, launch.runId] };
};

const STAMPED: Guards = { stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS };
const BARE: Guards = { stamps: false, cgroups: undefined, limits: DEFAULT_LIMITS };

async function withExecutor<T>(guards: Guards, act: (executor: LocalExecutor) => Promise<T>): Promise<T> {
  const executor = new LocalExecutor(guards);
  try {
    return await act(executor);
  } finally {
    await executor.close();
  }
}

const runIt = (launch: Launch) => withExecutor(STAMPED, (executor) => executor.submit(launch).exit);

/** Processes whose command line holds the token, by their kind. */
function processesOf(token: string, comm: string): readonly number[] {
  const is = (pid: string) => procText(pid, "comm") === `${comm}\n` && procText(pid, "cmdline").includes(token);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && is(name))
    .map(Number);
}

const probed = await enclosed(root, root, root);
const skip = probed.record.kind === "none" && probed.record.why;

describe("a job in a sandbox", { skip }, () => {
  const ends: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ["ends with the code of its program", ["sh", "-c", "echo gone wrong >&2; exit 42"], 42, /^gone wrong\n$/],
    ["ends with 128 and the number of its signal, and says nothing else", ["sh", "-c", "kill -SEGV $$"], 139, /^$/],
    ["ends with 127 if there is no such program", ["weft-no-such-program"], 127, /not found/],
    ["ends with 126 if the program cannot be executed", ["/etc/passwd"], 126, /denied/],
    ["is a program, never the shell's builtin", ["exit"], 127, /not found/],
  ];
  for (const [name, argv, code, stderr] of ends)
    it(name, async () => {
      const launch = await launchOf(argv);
      assert.equal(textOf(await runIt(launch)), `exited ${code}`);
      assert.match(readFileSync(launch.stderr, "utf8"), stderr);
    });

  for (const odd of [{}, { UID: "odd", PS1: "$", IFS: "x" }])
    it(`has the same environment as without a sandbox (${Object.keys(odd).join(", ") || "usual names"})`, async () => {
      const argv = ["/usr/bin/env"];
      const inside = await launchOf(argv, odd);
      const outside = { ...(await launchOf(argv, odd)), sandbox: undefined };
      await Promise.all([runIt(inside), runIt(outside)]);
      const linesOf = ({ stdout, runId }: Launch) =>
        readFileSync(stdout, "utf8")
          .replaceAll(runId, "RUN")
          .split("\n")
          .filter((line) => !line.startsWith("_="))
          .toSorted();
      assert.deepEqual(linesOf(inside), linesOf(outside));
    });

  const SPEAKS = ["sh", "-c", "cat; echo more >>/dev/stdout; echo bad >&2"];
  const outputOf = ({ stdout, stderr }: Launch) => [stdout, stderr].map((path) => readFileSync(path, "utf8"));

  it("writes streams without a name outside", async () => {
    const launch = await launchOf(SPEAKS);
    await runIt(launch);
    assert.deepEqual(outputOf(launch), ["more\n", "bad\n"]);
  });

  it("opens inside the streams that have a name", async () => {
    const outdir = join(folderOf(count + 1), "out");
    writeFiles(outdir, { "it's given": "given\n" });
    const streams = { stdin: join(outdir, "it's given"), stdout: join(outdir, "it's $made") };
    const launch = { ...(await launchOf(SPEAKS, {}, streams)), ...streams };
    await runIt(launch);
    assert.deepEqual(outputOf(launch), ["given\nmore\n", "bad\n"]);
  });

  it("is measured: processor time and bytes of everything inside", async () => {
    const busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; head -c 3000000 /dev/zero >big";
    const exit = await runIt(await launchOf(["sh", "-c", `sh -c '${busy}'`]));
    assert.ok(exit.kind === "exited");
    assert.ok((exit.used.cpuMs ?? 0) >= 10, JSON.stringify(exit.used));
    assert.ok((exit.used.ioWriteBytes ?? 0) >= 3_000_000, JSON.stringify(exit.used));
  });

  it("ends together with its child processes", async () => {
    const launch = await scripted(
      `(env -i leaf="$leaf" setsid bash -c ': >up; eval "$leaf"' "$0" </dev/null >/dev/null 2>&1 &); until [ -e up ]; do :; done; exit 3`,
    );
    assert.equal(textOf(await runIt(launch)), "exited 3");
    assert.deepEqual(sleepers(launch.runId), []);
  });
});

describe("jobs in sandboxes", { skip }, () => {
  const said = async (script: string) => {
    const launch = await launchOf(["bash", "-c", script]);
    assert.equal(textOf(await runIt(launch)), "exited 0", readFileSync(launch.stderr, "utf8"));
    return readFileSync(launch.stdout, "utf8");
  };

  it("have separate namespaces", () =>
    withExecutor(STAMPED, async (executor) => {
      const script =
        "cd /proc/self/ns; readlink pid ipc net mnt; : >$TMPDIR/up; until [ -e $TMPDIR/go ]; do sleep 0.02; done";
      const launches = [await launchOf(["bash", "-c", script]), await launchOf(["bash", "-c", script])];
      const running = launches.map((launch) => executor.submit(launch));
      const inTmp = ({ env }: Launch, name: string) => join(env["TMPDIR"] ?? "", name);
      await until(() => launches.every((launch) => existsSync(inTmp(launch, "up"))));
      for (const launch of launches) writeFileSync(inTmp(launch, "go"), "");
      await Promise.all(running.map(({ exit }) => exit));
      const theirs = launches.flatMap(({ stdout }) => readFileSync(stdout, "utf8").trim().split("\n"));
      const ours = ["pid", "ipc", "net", "mnt"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
      assert.equal(new Set([...theirs, ...ours]).size, 12);
    }));

  it("find no process, file or shared memory of an earlier one", async () => {
    const leave = `(setsid sleep 300 &) ; echo x >/tmp/left; echo x >/dev/shm/left; echo x >"$TMPDIR/more"; sleep 0.1; echo left`;
    assert.equal(await said(leave), "left\n");
    const find = `ls /tmp /dev/shm "$TMPDIR" | grep -E "left|more"; cat /proc/[0-9]*/comm | grep sleep; echo none`;
    assert.equal(await said(find), "none\n");
  });

  const queue = process.arch === "x64" ? 240 : 180;
  for (const [name, leave, find] of [
    ["shared memory", "shmget(7, 100, 01600)", "shmget(7, 0, 0)"],
    ["semaphores", "semget(7, 1, 01600)", "semget(7, 0, 0)"],
    ["messages", "msgget(7, 01600)", "msgget(7, 0)"],
    ["a queue", "queue(0102)", "queue(0)"],
  ] as const)
    it(`find no ${name} of an earlier job`, { skip: lacks("perl") }, async () => {
      const perl = (call: string) =>
        `perl -e 'sub queue { my $id = syscall(${queue}, my $name = "left", $_[0], 0600, 0); $id < 0 ? undef : $id }
          print defined(${call}) ? "there" : "none"'`;
      assert.deepEqual([await said(perl(leave)), await said(perl(find))], ["there", "none"]);
    });

  it("have no open file of another process, and no way to one through the first process", async () => {
    const script = "ls /proc/self/fd | tr '\\n' ' '; echo; kill -KILL 1; kill -STOP 1; readlink /proc/1/fd/*";
    const [own = "", ...ofFirst] = (await said(`(${script}) 2>/dev/null; true`)).trim().split("\n");
    // The last one belongs to `ls`.
    assert.equal(own.trim(), "0 1 2 3");
    const allowed = /^(?:\/dev\/null|.*\/std(?:out|err)|anon_inode:\[eventfd\])$/;
    assert.deepEqual(
      ofFirst.filter((line) => !allowed.test(line)),
      [],
    );
  });
});

describe("ended by an abort, a job in a sandbox", { skip }, () => {
  for (const [name, script, wanted] of PROGRAMS.filter(([, text]) => !text.endsWith("exit 0")))
    for (const [marks, guards] of [
      ["stamps", STAMPED],
      ["its sandbox alone", BARE],
    ] as const)
      it(`leaves nothing by ${marks}, though it ${name}`, () =>
        withExecutor(guards, async (executor) => {
          const launch = await scripted(script);
          const running = executor.submit(launch);
          await untilThere(launch.runId, wanted);
          const report = await executor.cancel({ runId: launch.runId, graceMs: 100 });
          assert.deepEqual([report.proven, sleepers(launch.runId)], [true, []]);
          await running.exit;
        }));

  it("has its grace time to end cleanly", () =>
    withExecutor(STAMPED, async (executor) => {
      const launch = await scripted(`trap 'echo tidied >tidy; exit 5' TERM; (eval "$leaf") & while :; do wait; done`);
      const running = executor.submit(launch);
      await untilThere(launch.runId, 1);
      const report = await executor.cancel({ runId: launch.runId, graceMs: 20_000 });
      assert.deepEqual([report.proven, report.jobs.map(({ killed }) => killed)], [true, [0]]);
      assert.equal(textOf(await running.exit), "exited 5");
      assert.equal(readFileSync(join(launch.workdir, "tidy"), "utf8"), "tidied\n");
    }));
});

describe("a job in a sandbox is gone as a whole when", { skip }, () => {
  const killed: readonly (readonly [string, (launch: Launch) => readonly number[]])[] = [
    ["its sandbox is killed", ({ runId }) => processesOf(runId, "bwrap").slice(0, 1)],
    ["the first process inside is killed", ({ runId }) => processesOf(runId, "bwrap").slice(1)],
    [
      "the parent of its sandbox is killed",
      ({ folder }) => [Number(/^pid (\d+)/m.exec(readFileSync(join(folder, "record"), "utf8"))?.[1])],
    ],
  ];
  for (const [name, victims] of killed)
    it(name, () =>
      withExecutor(BARE, async (executor) => {
        const launch = await scripted(`env -i setsid bash -c "$leaf" "$0" & wait`);
        const running = executor.submit(launch);
        await untilThere(launch.runId, 1);
        const pids = victims(launch);
        assert.equal(pids.length, 1);
        for (const pid of pids) process.kill(pid, "SIGKILL");
        await running.exit;
        await until(() => sleepers(launch.runId).length === 0);
        assert.deepEqual(processesOf(launch.runId, "bwrap"), []);
      }),
    );
});
