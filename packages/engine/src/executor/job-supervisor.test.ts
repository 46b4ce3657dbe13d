import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Launch } from "./executor.ts";
import { launchScript } from "./launch-script.ts";
import { parseExit } from "./job-record-text.ts";
import { shellSupervisor, SupervisorClient } from "./supervisor-client.ts";
import type { SupervisorMessage } from "./supervisor-client.ts";

const root = await mkdtemp(join(tmpdir(), "weft-supervisor-"));
after(() => rm(root, { recursive: true }));

let count = 0;
async function launchOf(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Launch> {
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
  await writeFile(join(folder, "launch"), launchScript(launch));
  return launch;
}

const supervisors: SupervisorClient[] = [];
after(() => Promise.all(supervisors.map((supervisor) => supervisor.close())));

function supervisorOf(jobsPerShell?: number): SupervisorClient {
  const supervisor = new SupervisorClient(shellSupervisor(jobsPerShell));
  supervisors.push(supervisor);
  return supervisor;
}

/** All messages about one job, up to its end. */
function run(supervisor: SupervisorClient, launch: Launch): Promise<readonly SupervisorMessage[]> {
  const said: SupervisorMessage[] = [];
  return new Promise((resolve) =>
    supervisor.start(launch.folder, (message) => {
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

describe("the supervisor", () => {
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
      const launch = await launchOf(["env", "-0"], env);
      await run(supervisorOf(), launch);
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
    const launch = await launchOf(["sh", "-c", "sleep 0.05; ps -o pgid= -p $$; ps -o pgid= -p $PPID"]);
    const [forked] = await run(supervisorOf(), launch);
    const groups = (await readFile(launch.stdout, "utf8")).split("\n").map((line) => line.trim());
    assert.ok(forked?.kind === "forked");
    assert.deepEqual(groups, [String(forked.pid), String(forked.pid), ""]);
  });

  it("starts an attempt once", async () => {
    const launch = await launchOf(["sh", "-c", "echo once >> ran"]);
    const supervisor = supervisorOf();
    assert.deepEqual(kinds(await run(supervisor, launch)), ["started", "ended"]);
    assert.deepEqual(kinds(await run(supervisor, launch)), ["taken"]);
    assert.equal(await readFile(join(launch.workdir, "ran"), "utf8"), "once\n");
  });

  it("puts a fresh shell in its place without losing a job", async () => {
    const supervisor = supervisorOf(2);
    const launches = await Promise.all(
      [1, 2, 3, 4, 5].map((code) => launchOf(["sh", "-c", `ps -o ppid= -p $PPID; exit ${code}`])),
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

  it("is replaced when it was killed; its jobs do not notice", async () => {
    const supervisor = supervisorOf();
    const long = await launchOf(["sh", "-c", "echo up; while [ ! -e go ]; do sleep 0.02; done; exit 3"]);
    const first = Promise.withResolvers<number>();
    const ended = new Promise<void>((resolve) =>
      supervisor.start(long.folder, (message) => {
        if (message.kind === "forked") first.resolve(message.pid);
        if (message.kind === "ended") resolve();
      }),
    );
    const wrapper = await first.promise;
    const shell = execFileSync("ps", ["-o", "ppid=", "-p", String(wrapper)], { encoding: "utf8" });
    process.kill(Number(shell), "SIGKILL");
    const next = await launchOf(["sh", "-c", "exit 4"]);
    await run(supervisor, next);
    await writeFile(join(long.workdir, "go"), "");
    await ended;
    assert.deepEqual([await exitOf(long), await exitOf(next)], [3, 4]);
  });

  // A process group whose parents are gone is sent SIGHUP when one of its processes is stopped.
  for (const [which, jobsPerShell] of [
    ["the shell that began it", undefined],
    ["the shell that took its place", 1],
  ] as const)
    it(`keeps a job with a stopped process when nobody speaks to ${which} any more`, async () => {
      const supervisor = new SupervisorClient(shellSupervisor(jobsPerShell));
      const launch = await launchOf([
        "sh",
        "-c",
        "sh -c 'kill -STOP $$' & until grep -q '^State:.T' /proc/$!/status; do :; done; echo up >up; until [ -e go ]; do sleep 0.02; done; kill -KILL $!; exit 3",
      ]);
      supervisor.start(launch.folder, () => {});
      await thereIs(join(launch.workdir, "up"));
      await supervisor.close();
      await writeFile(join(launch.workdir, "go"), "");
      await untilExit(launch);
      assert.equal(await exitOf(launch), 3);
    });

  it("starts nothing any more in a wrapper that was told to end", async () => {
    const launch = await launchOf(["sh", "-c", "echo ran > ran"]);
    // The signal arrives before the program starts: the wrapper sends it to itself while it reads the launch file.
    await writeFile(join(launch.folder, "launch"), `${launchScript(launch)}kill -TERM $BASHPID\n`);
    await run(supervisorOf(), launch);
    assert.equal(await exitOf(launch), 143);
    await assert.rejects(readFile(join(launch.workdir, "ran")));
  });

  it("reports a missing working folder as 97", async () => {
    const launch = await launchOf(["true"]);
    await rm(launch.workdir, { recursive: true });
    await run(supervisorOf(), launch);
    assert.equal(await exitOf(launch), 97);
  });
});
