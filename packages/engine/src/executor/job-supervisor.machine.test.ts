import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, existsSync, openSync, readlinkSync, writeSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Launch } from "./executor.ts";
import { launchFields, launchScript } from "./launch-script.ts";
import type { LaunchForm } from "./launch-script.ts";
import { parseExit, parseGroup } from "./job-record-text.ts";
import { plainSupervisor } from "./perl-supervisor.ts";
import { shellSupervisor, SupervisorClient } from "./supervisor-client.ts";
import type { SupervisorMessage } from "./supervisor-client.ts";

const root = await mkdtemp(join(tmpdir(), "weft-supervisor-"));
after(() => rm(root, { recursive: true }));

let count = 0;
async function launchOf(
  argv: readonly string[],
  form: LaunchForm,
  env: Readonly<Record<string, string>> = {},
): Promise<Launch> {
  const folder = join(root, `a job's folder ${++count}`);
  await mkdir(join(folder, "out"), { recursive: true });
  const launch: Launch = {
    ...{ backend: "local", size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{
      runId: `supervisor-${process.pid}-${count}`,
      jobId: "j",
      attempt: 1,
      folder,
      workdir: join(folder, "out"),
      argv,
    },
    env: { PATH: process.env["PATH"] ?? "", ...env },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
  };
  await writeFile(join(folder, "launch"), form(launch));
  return launch;
}

const supervisors: SupervisorClient[] = [];
after(() => Promise.all(supervisors.map((supervisor) => supervisor.close())));

function supervisorOf(program: readonly string[]): SupervisorClient {
  const supervisor = new SupervisorClient(program);
  supervisors.push(supervisor);
  return supervisor;
}

/** All messages about one job, up to its end. */
function run(supervisor: SupervisorClient, launch: Launch): Promise<readonly SupervisorMessage[]> {
  const said: SupervisorMessage[] = [];
  return new Promise((resolve) =>
    supervisor.start(launch.folder, "-", (message) => {
      said.push(message);
      if (message.kind === "ended" || message.kind === "taken" || message.kind === "rejected") resolve(said);
    }),
  );
}
/** A quick wrapper may end before the shell has reported that it exists. */
const kinds = (said: readonly SupervisorMessage[]) => said.map(({ kind }) => kind).filter((kind) => kind !== "forked");
const exitOf = async ({ folder }: Launch) => parseExit(await readFile(join(folder, "record"), "utf8"))?.exitCode;

async function thereIs(path: string): Promise<void> {
  while (!existsSync(path)) await pause(10);
}

async function untilExit(launch: Launch): Promise<void> {
  while ((await exitOf(launch)) === undefined) await pause(10);
}

const STOPS_A_CHILD = [
  "sh",
  "-c",
  "sh -c 'kill -STOP $$' & until grep -q '^State:.T' /proc/$!/status; do :; done; echo up >up; until [ -e go ]; do sleep 0.02; done; kill -KILL $!; exit 3",
];

async function outlives(supervisor: SupervisorClient, launch: Launch): Promise<void> {
  supervisor.start(launch.folder, "-", () => {});
  await thereIs(join(launch.workdir, "up"));
  await supervisor.close();
  await writeFile(join(launch.workdir, "go"), "");
  await untilExit(launch);
  assert.equal(await exitOf(launch), 3);
}

const perl = plainSupervisor();
const SUPERVISORS: readonly [string, readonly string[] | undefined, LaunchForm][] = [
  ["in shell", shellSupervisor(), launchScript],
  ["in Perl", perl, launchFields],
];

for (const [name, program, form] of SUPERVISORS)
  describe(`the supervisor ${name}`, { skip: program === undefined && "no Perl" }, () => {
    const supervisor = () => supervisorOf(program ?? []);
    const launched = (argv: readonly string[], env?: Readonly<Record<string, string>>) => launchOf(argv, form, env);
    const parentOf = (pid: number) => execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" });
    const environments: [string, Record<string, string>][] = [
      ["a language", { LANG: "C.UTF-8", LC_ALL: "C.UTF-8", WORD: "é ä" }],
      ["plain names", { LANG: "C.UTF-8", WORD: "a 'b' $c `d` \\ é\n\t", EMPTY: "", _x1: "1" }],
      [
        "names that mean something to the shell",
        { UID: "7", PPID: "8", IFS: "x", BASH_ENV: "/nowhere", PWD: "/lie", weft_workdir: "/", SECONDS: "a" },
      ],
    ];
    for (const [name, env] of environments) {
      it(`gives a program ${name} as they are`, async () => {
        const launch = await launched(["env", "-0"], env);
        await run(supervisor(), launch);
        const seen = new Set((await readFile(launch.stdout, "utf8")).split("\0"));
        const wanted = Object.entries(launch.env).map(([key, value]) => `${key}=${value}`);
        assert.deepEqual(
          wanted.filter((setting) => !seen.has(setting)),
          [],
        );
        const own = [...seen].filter(
          (setting) => /^(?:weft_|BASH|SHLVL|OLDPWD|LC_)/.test(setting) && !wanted.includes(setting),
        );
        assert.deepEqual(own, []);
      });
    }

    it("puts every job into a process group of its own", async () => {
      const client = supervisor();
      const launches = await Promise.all([1, 2].map(() => launched(["sh", "-c", "ps -o pgid= -p $$"])));
      const groups: number[] = [];
      for (const launch of launches) {
        await run(client, launch);
        groups.push(Number(await readFile(launch.stdout, "utf8")));
        assert.equal(parseGroup(await readFile(join(launch.folder, "record"), "utf8")), groups.at(-1));
      }
      assert.equal(new Set(groups).size, 2);
    });

    it("starts an attempt once", async () => {
      const launch = await launched(["sh", "-c", "echo once >> ran"]);
      const client = supervisor();
      assert.deepEqual(kinds(await run(client, launch)), ["started", "ended"]);
      assert.deepEqual(kinds(await run(client, launch)), ["taken"]);
      assert.equal(await readFile(join(launch.workdir, "ran"), "utf8"), "once\n");
    });

    it("is replaced when it was killed; its jobs do not notice", async () => {
      const client = supervisor();
      const long = await launched(["sh", "-c", "echo up; while [ ! -e go ]; do sleep 0.02; done; exit 3"]);
      const first = Promise.withResolvers<number>();
      const ended = new Promise<void>((resolve) =>
        client.start(long.folder, "-", (message) => {
          if (message.kind === "forked") first.resolve(message.pid);
          if (message.kind === "ended") resolve();
        }),
      );
      const wrapper = await first.promise;
      process.kill(Number(parentOf(wrapper)), "SIGKILL");
      const next = await launched(["sh", "-c", "exit 4"]);
      await run(client, next);
      await writeFile(join(long.workdir, "go"), "");
      await ended;
      assert.deepEqual([await exitOf(long), await exitOf(next)], [3, 4]);
    });

    // A process group whose parents are gone is sent SIGHUP when one of its processes is stopped.
    it("keeps a job with a stopped process when nobody speaks to the supervisor any more", async () => {
      await outlives(new SupervisorClient(program ?? []), await launched(STOPS_A_CHILD));
    });

    it("starts nothing any more in a wrapper that was told to end", async () => {
      const launch = await launched(["sh", "-c", "echo ran > ran"]);
      const path = join(launch.folder, "launch");
      await rm(path);
      execFileSync("mkfifo", [path]);
      const ended = Promise.withResolvers<void>();
      const wrapper = Promise.withResolvers<number>();
      const pipe = openSync(path, "r+");
      supervisor().start(launch.folder, "-", (message) => {
        if (message.kind === "forked") wrapper.resolve(message.pid);
        if (message.kind === "ended") ended.resolve();
      });
      // It has claimed the attempt, and waits for the end of its launch file.
      await thereIs(join(launch.folder, "record"));
      await pause(100);
      process.kill(await wrapper.promise, "SIGTERM");
      writeSync(pipe, form(launch));
      closeSync(pipe);
      await ended.promise;
      assert.equal(await exitOf(launch), 143);
      await assert.rejects(readFile(join(launch.workdir, "ran")));
    });

    it("finds a program in PATH, and lets a shell run a script without an interpreter", async () => {
      const folder = await mkdtemp(join(root, "path-"));
      await writeFile(join(folder, "say"), `echo "$0: $1"\n`, { mode: 0o755 });
      const launch = await launched(["say", "hi"], { PATH: `/nowhere:${folder}:/usr/bin:/bin` });
      await run(supervisor(), launch);
      assert.equal(await readFile(launch.stdout, "utf8"), `${folder}/say: hi\n`);
    });

    const failures: [string, readonly string[], number, RegExp][] = [
      ["does not exist", ["/no/such/program"], 127, /no\/such\/program/],
      ["is not in PATH", ["no-such-program"], 127, /no-such-program.*not found/],
      ["cannot be executed", ["/etc/passwd"], 126, /[Pp]ermission denied/],
    ];
    for (const [what, argv, code, message] of failures)
      it(`exits with ${code} if the program ${what}`, async () => {
        const launch = await launched(argv);
        await run(supervisor(), launch);
        assert.equal(await exitOf(launch), code);
        assert.match(await readFile(launch.stderr, "utf8"), message);
      });

    it("exits with 127 if a folder in PATH cannot be read, or has a folder of the program's name", async () => {
      const path = await mkdtemp(join(root, "closed-"));
      await mkdir(join(path, "no-such-program"));
      await mkdir(join(path, "closed"), { mode: 0 });
      const launch = await launched(["no-such-program"], { PATH: `${path}:${path}/closed:/usr/bin:/bin` });
      await run(supervisor(), launch);
      assert.equal(await exitOf(launch), 127);
      assert.match(await readFile(launch.stderr, "utf8"), /no-such-program.*not found/);
    });

    it("exits with 126 if a stream cannot be created, and starts nothing", async () => {
      const launch = await launched(["sh", "-c", "echo ran > ran"]);
      await mkdir(launch.stdout);
      await run(supervisor(), launch);
      assert.equal(await exitOf(launch), 126);
      assert.match(await readFile(launch.stderr, "utf8"), /stdout/);
      await assert.rejects(readFile(join(launch.workdir, "ran")));
    });

    it(
      "lets signals have their usual effect on a program",
      { skip: !existsSync("/proc/self") && "no /proc" },
      async () => {
        const launch = await launched(["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]);
        await run(supervisor(), launch);
        const masks = (await readFile(launch.stdout, "utf8")).match(/[0-9a-f]{16}/g);
        assert.deepEqual(masks, ["0".repeat(16), "0".repeat(16)]);
      },
    );

    it("reports a missing working folder as 97", async () => {
      const launch = await launched(["true"]);
      await rm(launch.workdir, { recursive: true });
      await run(supervisor(), launch);
      assert.equal(await exitOf(launch), 97);
    });
  });

describe("a shell that has started many jobs", () => {
  it("puts a fresh shell in its place without losing a job", async () => {
    const supervisor = supervisorOf(shellSupervisor(2));
    const launches = await Promise.all(
      [1, 2, 3, 4, 5].map((code) => launchOf(["sh", "-c", `ps -o ppid= -p $PPID; exit ${code}`], launchScript)),
    );
    const ends = await Promise.all(launches.map((launch) => run(supervisor, launch)));
    assert.deepEqual(
      ends.map(kinds),
      launches.map(() => ["started", "ended"]),
    );
    assert.deepEqual(await Promise.all(launches.map(exitOf)), [1, 2, 3, 4, 5]);
    const shells = await Promise.all(launches.map(({ stdout }) => readFile(stdout, "utf8")));
    assert.equal(new Set(shells).size, 1);
  });

  it("keeps a job with a stopped process when nobody speaks to the shell that took its place", async () => {
    await outlives(new SupervisorClient(shellSupervisor(1)), await launchOf(STOPS_A_CHILD, launchScript));
  });
});

describe("a wrapper in Perl", { skip: perl === undefined && "no Perl" }, () => {
  const pids = async (client: SupervisorClient, launches: readonly Launch[]) => {
    const seen: number[] = [];
    for (const launch of launches)
      for (const message of await run(client, launch)) if (message.kind === "forked") seen.push(message.pid);
    return seen;
  };
  const launches = (script: string) => Promise.all([1, 2, 3].map(() => launchOf(["sh", "-c", script], launchFields)));

  it("runs one job after the other, and counts each by itself", async () => {
    const [first, second] = await launches("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done");
    const cheap = await launchOf(["true"], launchFields);
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(new Set(await pids(supervisorOf(perl ?? []), [first, second, cheap])).size, 1);
    const [cpuOfFirst, cpuOfCheap] = await Promise.all(
      [first, cheap].map(async ({ folder }) => parseExit(await readFile(join(folder, "record"), "utf8"))?.cpuMs),
    );
    assert.ok(Number(cpuOfFirst) > Number(cpuOfCheap), `${cpuOfFirst} ms, ${cpuOfCheap} ms`);
  });

  it("has its order before the supervisor announces the wrapper, so that none is lost when the supervisor is killed", async () => {
    const launch = await launchOf(["touch", "ran"], launchFields);
    const path = join(root, "full-pipe");
    execFileSync("mkfifo", [path]);
    const drain = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    assert.throws(() => {
      for (;;) writeSync(drain, "x".repeat(65_536));
    }, /EAGAIN/);
    const pipe = openSync(path, constants.O_WRONLY);
    const [program = "", ...args] = perl ?? [];
    const supervisor = spawn(program, args, { stdio: ["pipe", pipe, "ignore"], detached: true });
    closeSync(pipe);
    supervisor.stdin?.write(`1 1 - ${launch.folder}\n`);
    // The announcement does not fit into the pipe.
    await thereIs(join(launch.workdir, "ran"));
    supervisor.kill("SIGKILL");
    closeSync(drain);
    await untilExit(launch);
  });

  it("leaves the folder of a job that has ended", { skip: !existsSync("/proc/self/cwd") && "no /proc" }, async () => {
    const [wrapper] = await pids(supervisorOf(perl ?? []), await launches("true"));
    assert.equal(readlinkSync(`/proc/${wrapper}/cwd`), "/");
  });

  it("serves no other job after it was sent a signal", async () => {
    const client = supervisorOf(perl ?? []);
    const [first, second] = await launches("sleep 0.2");
    assert.ok(first !== undefined && second !== undefined);
    const wrapper = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<void>();
    const retire = client.start(first.folder, "-", (message) => {
      if (message.kind === "forked") wrapper.resolve(message.pid);
      if (message.kind === "ended") ended.resolve();
    });
    retire();
    await ended.promise;
    assert.notEqual((await pids(client, [second]))[0], await wrapper.promise);
    assert.equal(await exitOf(second), 0);
  });

  it("ends when it is idle, and is replaced", async () => {
    const client = supervisorOf(perl ?? []);
    const [first, second] = await launches("true");
    assert.ok(first !== undefined && second !== undefined);
    const [wrapper = 0] = await pids(client, [first]);
    const sweep = setInterval(() => client.endIdle(), 50);
    while (existsSync(`/proc/${wrapper}`)) await pause(50);
    clearInterval(sweep);
    await pids(client, [second]);
    assert.equal(await exitOf(second), 0);
  });

  it("is reported if it was killed during a later job", async () => {
    const client = supervisorOf(perl ?? []);
    const [first] = await launches("true");
    const killed = await launchOf(["sh", "-c", "kill -KILL $PPID; sleep 0.1"], launchFields);
    assert.ok(first !== undefined);
    assert.equal(new Set(await pids(client, [first, killed])).size, 1);
    assert.equal(await exitOf(killed), undefined);
  });

  it("is replaced if it was killed between two jobs", async () => {
    const client = supervisorOf(perl ?? []);
    const [first, second] = await launches("true");
    assert.ok(first !== undefined && second !== undefined);
    const [wrapper = 0] = await pids(client, [first]);
    process.kill(wrapper, "SIGKILL");
    while (existsSync(`/proc/${wrapper}`)) await pause(5);
    assert.notEqual((await pids(client, [second]))[0], wrapper);
    assert.equal(await exitOf(second), 0);
  });

  it("gets no other job once its supervisor has been killed, and ends", async () => {
    const client = supervisorOf(perl ?? []);
    const [first, second] = await launches("true");
    assert.ok(first !== undefined && second !== undefined);
    const [wrapper = 0] = await pids(client, [first]);
    const supervisor = Number(execFileSync("ps", ["-o", "ppid=", "-p", String(wrapper)], { encoding: "utf8" }));
    process.kill(supervisor, "SIGKILL");
    while (existsSync(`/proc/${wrapper}`)) await pause(5);
    assert.notEqual((await pids(client, [second]))[0], wrapper);
    assert.equal(await exitOf(second), 0);
  });

  it("tells when it was killed", async () => {
    const client = supervisorOf(perl ?? []);
    const [job] = await launches("kill -KILL $PPID; sleep 0.1");
    assert.ok(job !== undefined);
    // It may be killed before it has told that it has started.
    assert.equal(kinds(await run(client, job)).at(-1), "ended");
    assert.equal(await exitOf(job), undefined);
  });
});
