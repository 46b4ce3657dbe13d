import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { SandboxStreams } from "./bubblewrap-argv.ts";
import type { Launch } from "../executor/executor.ts";
import { LocalExecutor } from "../executor/local-executor.ts";
import type { Guards } from "../executor/local-executor.ts";
import { LEAF, PROGRAMS, sleepers, untilThere } from "../executor/kill/testing/hostile-programs.ts";
import { runProgram } from "../executor/run-program.ts";
import { openJobSandbox } from "./job-sandbox.ts";
import { sandboxPlaces } from "./sandbox-places.ts";
import { until } from "../testing/until.ts";

const root = mkdtempSync(join(tmpdir(), "weft-sandboxed-"));
after(() => rmSync(root, { recursive: true }));
const places = () => sandboxPlaces({ root, runsFolder: join(root, "runs"), stores: [] }, []);
mkdirSync(join(root, "runs"));
const sandbox = await openJobSandbox({ setting: "auto", places, run: runProgram, log: () => {} });

/** A program is started by the supervisor of sandboxes, or by its own bubblewrap, like a program that updates files in place. */
type Way = "supervisor" | "bwrap";

let count = 0;
async function launchWith(
  way: Way,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  streams: SandboxStreams = {},
): Promise<Launch> {
  const runId = `sandboxed-${process.pid}-${++count}-`;
  const runFolder = join(root, "runs", runId);
  const [folder, outdir, tmpdir] = ["", "out", "tmp"].map((name) => join(runFolder, "jobs/j@1", name)) as [
    string,
    string,
    string,
  ];
  for (const path of [outdir, tmpdir]) mkdirSync(path, { recursive: true });
  const job = {
    outdir,
    tmpdir,
    runFolder,
    staging: [],
    inplaceUpdate: way === "bwrap",
    networkAccess: false,
    realPath: async (path: string) => path,
    streams,
  };
  return {
    ...{ backend: "local", size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{ runId, jobId: "j", attempt: 1, folder, workdir: outdir, argv },
    ...{ env: { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir, ...env }, stdin: "/dev/null" },
    ...{ stdout: join(folder, "stdout"), stderr: join(folder, "stderr"), ...(await sandbox.enclose(job)).launch },
  };
}

/** Each script knows its token as `$0`. */
const scriptedWith = async (way: Way, script: string) => {
  const launch = await launchWith(way, []);
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

const runIt = (launch: Launch) => withExecutor(STAMPED, (executor) => executor.start(launch).exit);

/** Those whose command line holds the token, by what they are. */
function processesOf(token: string, comm: string): readonly number[] {
  return readdirSync("/proc")
    .filter(
      (name) => /^\d+$/.test(name) && textOf(name, "comm") === `${comm}\n` && textOf(name, "cmdline").includes(token),
    )
    .map(Number);
}

/** The first process of the namespaces in which the sleepers of a token run. */
function firstProcessesOf(token: string): readonly number[] {
  const namespaces = new Set(sleepers(token).map((pid) => namespaceOf(String(pid))));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && namespaces.has(namespaceOf(name)))
    .filter((name) => /^NSpid:\t.*\t1$/m.test(textOf(name, "status")))
    .map(Number);
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

const probed = await sandbox.enclose({
  ...{
    outdir: root,
    tmpdir: root,
    runFolder: root,
    staging: [],
    inplaceUpdate: false,
    networkAccess: false,
    realPath: async (path: string) => path,
    streams: {},
  },
});
const skip = probed.record.kind === "none" && probed.record.why;
const hasSupervisor = probed.launch.box !== undefined;

const WAYS: readonly Way[] = hasSupervisor ? ["supervisor", "bwrap"] : ["bwrap"];

for (const way of WAYS) {
  const launchOf = (argv: readonly string[], env?: Readonly<Record<string, string>>, streams?: SandboxStreams) =>
    launchWith(way, argv, env, streams);
  const scripted = (script: string) => scriptedWith(way, script);

  describe(`a job in a sandbox (${way})`, { skip }, () => {
    const ends: readonly (readonly [string, readonly string[], number, RegExp])[] = [
      ["ends with the code of its program", ["sh", "-c", "echo gone wrong >&2; exit 42"], 42, /^gone wrong\n$/],
      [
        "ends with 128 and the number of its signal, of which nothing else is said",
        ["sh", "-c", "kill -SEGV $$"],
        139,
        /^$/,
      ],
      ["ends with 127 where there is no such program", ["weft-no-such-program"], 127, /not found/],
      ["ends with 126 where the program cannot be executed", ["/etc/passwd"], 126, /denied/],
      ["is a program, never the shell's builtin", ["exit"], 127, /not found/],
    ];
    for (const [name, argv, code, stderr] of ends)
      it(name, async () => {
        const launch = await launchOf(argv);
        const exit = await runIt(launch);
        assert.equal(exit.kind === "exited" && exit.exitCode, code);
        assert.match(readFileSync(launch.stderr, "utf8"), stderr);
      });

    for (const odd of [{}, { UID: "odd", PS1: "$", IFS: "x" }])
      it(`has the very environment that it has without (${Object.keys(odd).join(", ") || "usual names"})`, async () => {
        const argv = ["/usr/bin/env"];
        const inside = await launchOf(argv, odd);
        const outside = { ...(await launchOf(argv, odd)), sandbox: undefined, box: undefined };
        await Promise.all([runIt(inside), runIt(outside)]);
        const linesOf = ({ stdout, runId }: Launch) =>
          readFileSync(stdout, "utf8")
            .replaceAll(runId, "RUN")
            .split("\n")
            .filter((line) => !line.startsWith("_="))
            .toSorted();
        assert.deepEqual(linesOf(inside), linesOf(outside));
      });

    it("writes streams without a name outside", async () => {
      const launch = await launchOf(["sh", "-c", "cat; echo more >>/dev/stdout; echo bad >&2"]);
      await runIt(launch);
      assert.deepEqual([readFileSync(launch.stdout, "utf8"), readFileSync(launch.stderr, "utf8")], ["more\n", "bad\n"]);
    });

    it("opens inside the streams that have a name", async () => {
      const [outdir, given, stdout] = ["", "it's given", "it's $made"].map((name) =>
        join(root, "runs", `sandboxed-${process.pid}-${count + 1}-`, "jobs/j@1/out", name),
      ) as [string, string, string];
      mkdirSync(outdir, { recursive: true });
      writeFileSync(given, "given\n");
      const script = ["sh", "-c", "cat; echo more >>/dev/stdout; echo bad >&2"];
      const launch = { ...(await launchOf(script, {}, { stdin: given, stdout })), stdin: given, stdout };
      await runIt(launch);
      assert.deepEqual(
        [readFileSync(launch.stdout, "utf8"), readFileSync(launch.stderr, "utf8")],
        ["given\nmore\n", "bad\n"],
      );
    });

    it("is measured: processor time and bytes of everything inside", async () => {
      const busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; head -c 3000000 /dev/zero >big";
      const exit = await runIt(await launchOf(["sh", "-c", `sh -c '${busy}'`]));
      assert.ok(exit.kind === "exited");
      assert.ok((exit.used.cpuMs ?? 0) >= 10, JSON.stringify(exit.used));
      assert.ok((exit.used.ioWriteBytes ?? 0) >= 3_000_000, JSON.stringify(exit.used));
    });

    it("ends with everything that it has started", async () => {
      const launch = await scripted(
        `(env -i leaf="$leaf" setsid bash -c ': >up; eval "$leaf"' "$0" </dev/null >/dev/null 2>&1 &); until [ -e up ]; do :; done; exit 3`,
      );
      const exit = await runIt(launch);
      assert.equal(exit.kind === "exited" && exit.exitCode, 3);
      assert.deepEqual(sleepers(launch.runId), []);
    });
  });

  describe(`ended by an abort, a job in a sandbox (${way})`, { skip }, () => {
    for (const [name, script, wanted] of PROGRAMS.filter(([, text]) => !text.endsWith("exit 0")))
      for (const [marks, guards] of [
        ["stamps", STAMPED],
        ["its sandbox alone", BARE],
      ] as const)
        it(`leaves nothing by ${marks}, though it ${name}`, () =>
          withExecutor(guards, async (executor) => {
            const launch = await scripted(script);
            const running = executor.start(launch);
            await untilThere(launch.runId, wanted);
            const report = await executor.kill({ runId: launch.runId, graceMs: 100 });
            assert.deepEqual([report.proven, sleepers(launch.runId)], [true, []]);
            await running.exit;
          }));

    it("has its grace time to end in order", () =>
      withExecutor(STAMPED, async (executor) => {
        const launch = await scripted(`trap 'echo tidied >tidy; exit 5' TERM; (eval "$leaf") & while :; do wait; done`);
        const running = executor.start(launch);
        await untilThere(launch.runId, 1);
        const report = await executor.kill({ runId: launch.runId, graceMs: 20_000 });
        const exit = await running.exit;
        assert.deepEqual([report.proven, report.jobs.map(({ killed }) => killed)], [true, [0]]);
        assert.equal(exit.kind === "exited" && exit.exitCode, 5);
        assert.equal(readFileSync(join(launch.workdir, "tidy"), "utf8"), "tidied\n");
      }));
  });

  describe(`a job in a sandbox (${way}) is gone as a whole when`, { skip }, () => {
    const killed: readonly (readonly [string, (launch: Launch) => readonly number[]])[] = [
      [
        "its sandbox is killed",
        ({ runId }) => (way === "bwrap" ? processesOf(runId, "bwrap").slice(0, 1) : firstProcessesOf(runId)),
      ],
      [
        "the parent of its sandbox is killed",
        ({ folder }) => [Number(/^pid (\d+)/m.exec(readFileSync(join(folder, "record"), "utf8"))?.[1])],
      ],
    ];
    for (const [name, victims] of killed)
      it(name, () =>
        withExecutor(BARE, async (executor) => {
          const launch = await scripted(`env -i setsid bash -c "$leaf" "$0" & wait`);
          const running = executor.start(launch);
          await untilThere(launch.runId, 1);
          const pids = victims(launch);
          assert.equal(pids.length, 1);
          for (const pid of pids) process.kill(pid, "SIGKILL");
          await running.exit;
          await until(() => sleepers(launch.runId).length === 0);
          assert.deepEqual([processesOf(launch.runId, "bwrap"), firstProcessesOf(launch.runId)], [[], []]);
        }),
      );
  });
}
