// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Launch } from "./executor.ts";
import type { JobStarter, StarterMessage } from "./job-starter.ts";
import { launchText } from "./launch-file.ts";
import { LauncherClient } from "./launcher-client.ts";
import { launcherPath } from "./launcher-path.ts";
import { parseExit, parseGroup } from "./job-record-text.ts";
import { SpawnStarter } from "./spawn-starter.ts";
import { launchIn } from "./testing/launch.ts";
import { until } from "../testing/until.ts";

const root = temporaryFolder();

let count = 0;
function launchOf(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Launch {
  const runId = `launcher-${process.pid}-${++count}`;
  const folder = join(root, `a job's folder ${count}`);
  return launchIn(folder, { runId, argv, env: { PATH: process.env["PATH"] ?? "", ...env } });
}

const path = launcherPath();
const skip = path === undefined && "there is no launcher for this system (run it on Linux, x86-64 or ARM64)";

function opened<T extends JobStarter>(starter: T): T {
  after(() => starter.close());
  return starter;
}
const launcher = (program = path ?? "") => opened(new LauncherClient(program));

/** All messages about one job until its end. */
function run(starter: JobStarter, launch: Launch): Promise<readonly StarterMessage[]> {
  const said: StarterMessage[] = [];
  return new Promise((resolve) =>
    starter.start(launch, {}, (message) => {
      said.push(message);
      if (message.kind !== "forked" && message.kind !== "started") resolve(said);
    }),
  );
}
/** A job that has ended. */
async function ended(starter: JobStarter, ...job: Parameters<typeof launchOf>): Promise<Launch> {
  const launch = launchOf(...job);
  await run(starter, launch);
  return launch;
}
const kinds = (said: readonly StarterMessage[]) => said.map(({ kind }) => kind);
const recordOf = ({ folder }: Launch) => readFile(join(folder, "record"), "utf8");
const exitOf = async (launch: Launch) => parseExit(await recordOf(launch))?.exitCode;
/** Field 4 of its `stat`; the second is the name in parentheses. */
const parentOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);

/** Starts a job; resolves with the process id of its wrapper when its program runs, and has written `up`. */
async function startWaiting(starter: JobStarter, launch: Launch) {
  const pids = new Map<string, number>();
  const end = Promise.withResolvers<void>();
  starter.start(launch, {}, (message) => {
    if ("pid" in message) pids.set(message.kind, message.pid);
    else end.resolve();
  });
  await until(() => pids.size === 2 && existsSync(join(launch.workdir, "up")));
  return { wrapper: pids.get("forked") ?? 0, end: end.promise };
}
const WAITS = ["sh", "-c", ": >up; until [ -e go ]; do sleep 0.02; done; exit 3"];
const letContinue = (launch: Launch) => writeFile(join(launch.workdir, "go"), "");

const STARTERS: readonly (readonly [string, string | false, () => JobStarter])[] = [
  ["the launcher", skip, launcher],
  ["the server itself, if there is no launcher,", false, () => opened(new SpawnStarter())],
];
for (const [name, skipped, starter] of STARTERS)
  describe(`${name} starts programs and`, { skip: skipped }, () => {
    const environments: [string, Record<string, string>][] = [
      ["a language", { LANG: "C.UTF-8", LC_ALL: "C.UTF-8", WORD: "é ä" }],
      ["plain names", { LANG: "C.UTF-8", WORD: "a 'b' $c `d` \\ é\n\t", EMPTY: "", _x1: "1" }],
      ["names that mean something to a shell", { UID: "7", IFS: "x", BASH_ENV: "/nowhere", PWD: "/lie", "a.b": "c" }],
    ];
    for (const [what, env] of environments)
      it(`gives them exactly their environment: ${what}`, async () => {
        const launch = await ended(starter(), ["/usr/bin/env", "-0"], env);
        // Node adds a variable for `npm run coverage` to the environment of every child.
        const seen = (await readFile(launch.stdout, "utf8"))
          .split("\0")
          .filter((setting) => setting !== "" && !setting.startsWith("NODE_V8_COVERAGE="));
        const wanted = Object.entries({ ...launch.env, WEFT_RUN: launch.runId, WEFT_JOB: `${launch.runId}/j/1` });
        assert.deepEqual(seen.toSorted(), wanted.map((setting) => setting.join("=")).toSorted());
      });

    it("puts every job into a separate process group", async () => {
      const used = starter();
      const groups: number[] = [];
      // Field 5 of its `stat`.
      for (const argv of [
        ["sh", "-c", "cut -d ' ' -f 5 /proc/$$/stat"],
        ["cut", "-d", " ", "-f", "5", "/proc/self/stat"],
      ]) {
        const launch = await ended(used, argv);
        groups.push(parseGroup(await recordOf(launch)) ?? 0);
        assert.match(await readFile(launch.stdout, "utf8"), new RegExp(`^${groups.at(-1)}$`, "m"));
      }
      assert.equal(new Set(groups).size, 2);
    });

    it("starts an attempt once", async () => {
      const launch = launchOf(["sh", "-c", "echo once >> ran"]);
      const used = starter();
      assert.deepEqual(kinds(await run(used, launch)), ["forked", "started", "ended"]);
      assert.deepEqual(kinds(await run(used, launch)).at(-1), "taken");
      assert.equal(await readFile(join(launch.workdir, "ran"), "utf8"), "once\n");
    });

    it("finds them in PATH, and lets a shell run a script without an interpreter", async () => {
      const folder = await mkdtemp(join(root, "path-"));
      await writeFile(join(folder, "say"), `echo "$0: $1"\n`, { mode: 0o755 });
      const launch = await ended(starter(), ["say", "hi"], { PATH: `/nowhere:${folder}:/usr/bin:/bin` });
      assert.equal(await readFile(launch.stdout, "utf8"), `${folder}/say: hi\n`);
    });

    const failures: [string, readonly string[], number, RegExp][] = [
      ["does not exist", ["/no/such/program"], 127, /no\/such\/program/],
      ["is not in PATH", ["no-such-program"], 127, /no-such-program/],
      ["is a word of the shell", ["exit", "5"], 127, /exit/],
      ["cannot be executed", ["/etc/passwd"], 126, /passwd/],
    ];
    for (const [what, argv, code, message] of failures)
      it(`exits with ${code} if the program ${what}`, async () => {
        const launch = await ended(starter(), argv);
        assert.equal(await exitOf(launch), code);
        assert.match(await readFile(launch.stderr, "utf8"), message);
      });

    it("exits with 126 if a stream cannot be created, and starts nothing", async () => {
      const launch = launchOf(["sh", "-c", "echo ran > ran"]);
      await mkdir(launch.stdout);
      await run(starter(), launch);
      assert.equal(await exitOf(launch), 126);
      assert.match(await readFile(launch.stderr, "utf8"), /stdout/);
      await assert.rejects(readFile(join(launch.workdir, "ran")));
    });

    it("reports a signal as 128 and its number, and a missing working folder as 97", async () => {
      const killed = launchOf(["sh", "-c", "kill -SEGV $$"]);
      const lost = launchOf(["true"]);
      await rm(lost.workdir, { recursive: true });
      for (const launch of [killed, lost]) await run(starter(), launch);
      assert.deepEqual([await exitOf(killed), await exitOf(lost)], [139, 97]);
    });

    it("refuses an argument that no program can get", async () => {
      const said = await run(starter(), launchOf(["echo", "a\0b"]));
      assert.match(JSON.stringify(said), /rejected.*NUL/);
    });
  });

describe("the launcher", { skip }, () => {
  it("exits with 127 if a folder in PATH cannot be read, or has a folder of the program's name", async () => {
    const folder = await mkdtemp(join(root, "closed-"));
    await mkdir(join(folder, "no-such-program"));
    await mkdir(join(folder, "closed"), { mode: 0 });
    const launch = await ended(launcher(), ["no-such-program"], { PATH: `${folder}:${folder}/closed:/usr/bin:/bin` });
    await chmod(join(folder, "closed"), 0o700); // only root can remove it otherwise
    assert.equal(await exitOf(launch), 127);
    assert.match(await readFile(launch.stderr, "utf8"), /no-such-program.*not found/);
  });

  it("prefers an executable program, and otherwise names the one that is not executable", async () => {
    const [denied, allowed] = [await mkdtemp(join(root, "denied-")), await mkdtemp(join(root, "allowed-"))];
    await writeFile(join(denied, "say"), "#!/bin/sh\necho no\n", { mode: 0o644 });
    await writeFile(join(allowed, "say"), "#!/bin/sh\necho yes\n", { mode: 0o755 });
    const found = await ended(launcher(), ["say"], { PATH: `${denied}:${allowed}` });
    assert.equal(await readFile(found.stdout, "utf8"), "yes\n");
    const refused = await ended(launcher(), ["say"], { PATH: denied });
    assert.equal(await exitOf(refused), 126);
    assert.match(await readFile(refused.stderr, "utf8"), /say: Permission denied/);
  });

  it("lets signals have their usual effect on a program, and gives it no other file", async () => {
    const script = "grep -E '^Sig(Blk|Ign)' /proc/self/status; ls /proc/self/fd | tr '\\n' ' '";
    const launch = await ended(launcher(), ["sh", "-c", script]);
    const said = await readFile(launch.stdout, "utf8");
    assert.deepEqual(said.match(/[0-9a-f]{16}/g), ["0".repeat(16), "0".repeat(16)]);
    // The last one belongs to `ls`.
    assert.match(said, /\n0 1 2 3 $/);
  });

  it("counts the processor time, the peak of memory and the bytes of the whole tree", async () => {
    const busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; head -c 3000000 /dev/zero >big";
    const uses = [];
    for (const argv of [["sh", "-c", `sh -c '${busy}'; head -c 30000000 /dev/zero | tail -c 1 >/dev/null`], ["true"]]) {
      const { cpuMs, ioWriteBytes, peakBytes } = parseExit(await recordOf(await ended(launcher(), argv))) ?? {};
      uses.push({ cpuMs: cpuMs ?? 0, ioWriteBytes: ioWriteBytes ?? 0, peakBytes: peakBytes ?? 0 });
    }
    const [used, none] = uses;
    assert.ok(used !== undefined && none !== undefined);
    assert.ok(used.cpuMs > none.cpuMs, JSON.stringify(uses));
    assert.ok(used.ioWriteBytes >= 33_000_000 && none.ioWriteBytes < 10_000, JSON.stringify(uses));
    assert.ok(none.peakBytes > 100_000 && none.peakBytes < 50_000_000, JSON.stringify(uses));
  });

  it("is replaced after it was killed, without effects on its jobs", async () => {
    const used = launcher();
    const long = launchOf(WAITS);
    const { wrapper } = await startWaiting(used, long);
    process.kill(parentOf(wrapper), "SIGKILL");
    const next = await ended(used, ["sh", "-c", "exit 4"]);
    await letContinue(long);
    await until(async () => (await exitOf(long)) !== undefined);
    assert.deepEqual([await exitOf(long), await exitOf(next)], [3, 4]);
  });

  it("reports the end of a job whose wrapper was killed", async () => {
    const launch = launchOf(WAITS);
    const { wrapper, end } = await startWaiting(launcher(), launch);
    process.kill(wrapper, "SIGKILL");
    await end;
    assert.equal(await exitOf(launch), undefined);
    await letContinue(launch);
  });

  it("carries out its orders even if nobody can read its answers", async () => {
    const launch = launchOf(["touch", "ran"]);
    await writeFile(join(launch.folder, "launch"), launchText(launch));
    const started = spawn(path ?? "", [], { stdio: ["pipe", "pipe", "ignore"] });
    started.stdout?.destroy();
    started.stdin?.end(`1 ${launch.folder}\n`);
    await new Promise((resolve) => started.once("exit", resolve));
    assert.equal(await exitOf(launch), 0);
  });

  // A process group whose parents are gone is sent SIGHUP when one of its processes is stopped.
  it("keeps a job with a stopped process when the server is gone", async () => {
    const script = `sh -c 'kill -STOP $$' & until grep -q '^State:.T' /proc/$!/status; do sleep 0.02; done
      : >up; until [ -e go ]; do sleep 0.02; done; kill -KILL $!; exit 3`;
    const launch = launchOf(["sh", "-c", script]);
    const used = new LauncherClient(path ?? "");
    await startWaiting(used, launch);
    await used.close();
    await letContinue(launch);
    await until(async () => (await exitOf(launch)) !== undefined);
    assert.equal(await exitOf(launch), 3);
  });

  it("starts nothing in a wrapper that was terminated", async () => {
    const launch = launchOf(["sh", "-c", "echo ran > ran"]);
    const file = join(launch.folder, "launch");
    execFileSync("mkfifo", [file]);
    const wrapper = Promise.withResolvers<number>();
    const end = Promise.withResolvers<void>();
    launcher().order(launch.folder, (message) => {
      if (message.kind === "forked") wrapper.resolve(message.pid);
      if (message.kind === "ended") end.resolve();
    });
    // Opens when the wrapper does, which then waits for the text.
    const pipe = await open(file, "w");
    process.kill(await wrapper.promise, "SIGTERM");
    await pipe.write(launchText(launch));
    await pipe.close();
    await end.promise;
    assert.equal(await exitOf(launch), 143);
    await assert.rejects(readFile(join(launch.workdir, "ran")));
  });

  it("starts nothing from a launch file that is not complete", async () => {
    const launch = launchOf(["touch", "ran"]);
    const whole = launchText(launch);
    for (const text of ["", whole.slice(0, -1), whole.slice(0, whole.lastIndexOf("end=")), `${whole}x`, "end=\0"]) {
      await writeFile(join(launch.folder, "launch"), text);
      await run(launcher(), launch);
      assert.equal(await exitOf(launch), 126);
      await rm(join(launch.folder, "record"));
    }
    assert.equal(existsSync(join(launch.workdir, "ran")), false);
  });

  it("fails jobs if it cannot be started, or ends before it reads its orders", async () => {
    const denied = join(root, "denied");
    await writeFile(denied, "");
    chmodSync(denied, 0o644);
    for (const [program, message] of [
      [join(root, "nowhere"), /nowhere cannot be started: no such file/],
      [denied, /denied cannot be started: permission denied/],
      ["/bin/false", /false exits before it starts a job/],
    ] as const)
      assert.match(JSON.stringify(await run(launcher(program), launchOf(["true"]))), message);
  });

  it("starts two hundred jobs at the same time, and loses none", async () => {
    const used = launcher();
    const codes = Array.from({ length: 200 }, (_, at) => at % 7);
    const launches = await Promise.all(codes.map((code) => ended(used, ["sh", "-c", `exit ${code}`])));
    assert.deepEqual(await Promise.all(launches.map(exitOf)), codes);
  });
});
