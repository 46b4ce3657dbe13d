import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { existsSync, readFileSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Launch } from "../executor.ts";
import { launchIn, textOf } from "../testing/launch.ts";
import { readRecord } from "../job-record.ts";
import { parseClaim, parseExit, parseGroup } from "../job-record-text.ts";
import { LocalExecutor } from "./local-executor.ts";
import { jobProcesses } from "../kill/job-processes.ts";
import { until } from "../../testing/until.ts";

const root = temporaryFolder();
const GUARDS = { stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS };
const executor = new LocalExecutor(GUARDS);
after(() => executor.close());

let count = 0;
function launchOf(argv: readonly string[], more: Partial<Launch> = {}): Launch {
  const env = { PATH: process.env["PATH"] ?? "", WORD: "ünï $x" };
  const runId = `test-${process.pid}-${++count}`;
  return launchIn(join(root, `job ${count}`), { runId, argv, env, ...more });
}
const sh = (script: string) => ["/bin/sh", "-c", script];
const stdoutOf = (launch: Launch) => readFile(launch.stdout, "utf8");
/** Longer than the test: the process must be killed, not exit. */
const SLEEP = "sleep 300";

describe("LocalExecutor", () => {
  it("runs a program with its streams, folder and environment", async () => {
    const input = join(root, "input");
    await writeFile(input, "from stdin");
    const launch = launchOf(sh('cat; printf " %s %s" "$WORD" "$PWD"; echo oops >&2; exit 3'), { stdin: input });
    const running = executor.submit(launch);
    assert.match((await running.started) ?? "", /^\d+$/);
    assert.equal(textOf(await running.exit), "exited 3");
    assert.equal(await stdoutOf(launch), `from stdin ünï $x ${launch.workdir}`);
    assert.equal(await readFile(launch.stderr, "utf8"), "oops\n");
  });

  const planted: readonly (readonly [string, string])[] = [
    ["a link to a file", "precious"],
    ["a link to nothing", "not there yet"],
  ];
  for (const [what, name] of planted)
    for (const stream of ["stdout", "stderr"] as const)
      it(`never opens ${what} as ${stream}`, async () => {
        const target = join(root, `${stream} ${name}`);
        if (name === "precious") await writeFile(target, "precious");
        const launch = launchOf(sh("echo new; echo new >&2; : >ran"));
        const stdio = { ...launch, [stream]: join(launch.workdir, "counts.txt") };
        await symlink(target, stdio[stream]);
        assert.equal(textOf(await executor.submit(stdio).exit), "exited 126");
        assert.equal(existsSync(join(launch.workdir, "ran")), false);
        assert.equal(existsSync(target) ? await readFile(target, "utf8") : name, name);
      });

  it("writes both streams in order if they have one name", async () => {
    const launch = launchOf(sh("echo one; echo two >&2; echo three"));
    await executor.submit({ ...launch, stderr: launch.stdout }).exit;
    assert.equal(await stdoutOf(launch), "one\ntwo\nthree\n");
  });

  const arguments_ = ["a b", "$HOME", "`id`", "'\"", "-n", "\\t", "", "ü*?", "line\nbreak"];
  it("passes every argument unchanged", async () => {
    const launch = launchOf(["printf", "[%s]", ...arguments_]);
    await executor.submit(launch).exit;
    assert.equal(await stdoutOf(launch), arguments_.map((word) => `[${word}]`).join(""));
  });

  it("leaves no zombies while a program runs", async () => {
    const ended = "until [ -s pid ]; do sleep 0.02; done; while [ -e /proc/$(cat pid) ]; do sleep 0.02; done";
    const script = `(sh -c 'echo $$ >pid' &) ; ${ended}; echo gone`;
    const launch = launchOf(sh(script));
    await executor.submit(launch).exit;
    assert.equal(await stdoutOf(launch), "gone\n");
  });

  it("runs one of two starts of the same attempt", async () => {
    const launch = launchOf(sh("echo once >> ran; sleep 0.2"));
    const exits = await Promise.all([executor.submit(launch).exit, executor.submit(launch).exit]);
    assert.deepEqual(exits.map(textOf), ["exited 0", "exited 0"]);
    assert.equal(await readFile(join(launch.workdir, "ran"), "utf8"), "once\n");
  });

  it("ends a whole tree, children that left their group and session included, and proves it", async () => {
    // The last process reports its start: by then, SIGTERM is ignored and all other processes exist.
    const deaf = `(trap '' TERM; setsid sh -c "${SLEEP} & echo up; ${SLEEP}")`;
    const script = `${SLEEP} & setsid ${SLEEP} & nohup ${SLEEP} & ${deaf} & wait`;
    const launch = launchOf(sh(script));
    const running = executor.submit(launch);
    await until(() => isWritten(launch.stdout));
    const report = await executor.cancel({ runId: launch.runId, graceMs: 200 });
    assert.equal(report.proven, true);
    const [job] = report.jobs;
    assert.deepEqual([report.jobs.length, job?.jobId, job?.attempt, job?.signals], [1, "j", 1, ["SIGTERM", "SIGKILL"]]);
    assert.ok((job?.found ?? 0) >= 5 && job?.confirmedMs != null, JSON.stringify(job));
    assert.deepEqual(jobProcesses({ runId: launch.runId }), []);
    const exit = await running.exit;
    assert.ok(exit.kind === "lost" || exit.kind === "exited");
  });

  it("lets a program end within the grace time", async () => {
    const launch = launchOf(sh("trap 'echo saved > saved; exit 7' TERM; echo up; while :; do sleep 0.05; done"));
    const running = executor.submit(launch);
    await until(() => isWritten(launch.stdout));
    await executor.cancel({ runId: launch.runId, graceMs: 5000 });
    assert.equal(textOf(await running.exit), "exited 7");
    assert.ok(existsSync(join(launch.workdir, "saved")));
  });

  it("does not touch other jobs of the run when one is ended", async () => {
    const one = launchOf(sh(`echo up; ${SLEEP}`));
    const other = { ...launchOf(sh("echo up; sleep 0.3; exit 4")), runId: one.runId, jobId: "other" };
    const [first, second] = [executor.submit(one), executor.submit(other)];
    await until(() => isWritten(one.stdout) && isWritten(other.stdout));
    await executor.cancel({ runId: one.runId, job: { jobId: "j", attempt: 1 }, graceMs: 100 });
    await first.exit;
    assert.equal(textOf(await second.exit), "exited 4");
  });

  it("reattaches a job that another server started", async () => {
    const other = new LocalExecutor(GUARDS);
    const launch = launchOf(sh("echo up; sleep 0.5; exit 6"));
    void other.submit(launch);
    await until(() => isWritten(launch.stdout));
    await other.close();
    const reattached = executor.reattach(launch);
    assert.equal(await reattached.started, String(parseGroup(readRecord(launch.folder))));
    assert.equal(textOf(await reattached.exit), "exited 6");
  });

  it("ends the processes that a program left, after a grace period", async () => {
    const reports: string[] = [];
    const other = new LocalExecutor(GUARDS, ({ jobId }, { jobs }) => reports.push(`${jobId}: ${jobs[0]?.found}`));
    const launch = launchOf(sh(`(sleep 0.2; echo late > late) & ${SLEEP} & setsid ${SLEEP} & exit 5`));
    assert.equal(textOf(await other.submit(launch).exit), "exited 5");
    await other.close();
    assert.equal(await readFile(join(launch.workdir, "late"), "utf8"), "late\n");
    assert.deepEqual(jobProcesses({ runId: launch.runId }), []);
    assert.deepEqual(reports, ["j: 2"]);
  });

  /** Field 4 of its `stat`; the second is the name in parentheses. */
  const parentOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  const others: readonly (readonly [string, (wrapper: number) => readonly number[]])[] = [
    ["their wrapper", (wrapper) => [wrapper]],
    ["their wrapper and its supervisor", (wrapper) => [parentOf(wrapper), wrapper]],
  ];
  for (const [whom, pidsFrom] of others)
    it(`reports a job whose processes were killed with ${whom} as lost`, async () => {
      const launch = launchOf(sh(`echo up; ${SLEEP}`));
      const running = executor.submit(launch);
      await until(() => isWritten(launch.stdout));
      await running.started;
      const record = readRecord(launch.folder);
      const pids = pidsFrom(Number(parseClaim(record)?.pid));
      for (const pid of [...pids, -Number(parseGroup(record))]) process.kill(pid, "SIGKILL");
      assert.equal((await running.exit).kind, "lost");
    });
});

describe("parseExit", () => {
  const NONE = { cpuMs: null, ioReadBytes: null, ioWriteBytes: null, peakBytes: null };
  const MEASURED = { exitCode: 0, cpuMs: 1750, ioReadBytes: 12, ioWriteBytes: 7 };
  const cases: Readonly<Record<string, ReturnType<typeof parseExit>>> = {
    "": undefined,
    "exit 1": undefined,
    "exit 0\n": { ...NONE, exitCode: 0 },
    "exit 3\n0m0.01s 0m0.00s\n1m0.5s 0m0.25s\n": { ...NONE, exitCode: 3, cpuMs: 60_750 },
    "pid 1\n0m0.01s 0m0.00s\n0m1.5s 0m0.25s\nrchar: 12\nwchar: 7\nread_bytes: 0\nexit 0\n": {
      ...{ ...MEASURED, peakBytes: null },
    },
    "pid 1\nrchar: 12\nwchar: 7\n0m0.000s 0m0.000s\n0m1.500s 0m0.250s\npeak: 4096\nexit 0\n": {
      ...{ ...MEASURED, peakBytes: 4096 },
    },
  };
  for (const [text, expected] of Object.entries(cases))
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseExit(text), expected));
});

it("parseClaim finds the start time behind a hostile command name", () => {
  const stat = `12 (a) b (c) S ${Array.from({ length: 30 }, (_, index) => index + 4).join(" ")}`;
  assert.deepEqual(parseClaim(`pid 12\nboot x-y\nstat ${stat}\n`), { pid: 12, bootId: "x-y", startTicks: "22" });
  assert.equal(parseClaim(""), undefined);
});

function isWritten(path: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8") !== "";
}
