import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { machineCgroups, openJobCgroups } from "../cgroup/open-job-cgroups.ts";
import type { Launch } from "../executor.ts";
import { LocalExecutor } from "../local-executor.ts";
import type { Guards } from "../local-executor.ts";

/**
 * Programs that do what they can to outlive their job. They are looked for without our help: each goes by the token, the
 * name that it gave itself.
 */
const root = await mkdtemp(join(tmpdir(), "weft-hostile-"));
const cgroups = await openJobCgroups(`weft-test-${process.pid}`, machineCgroups());
const skip = process.platform !== "linux" && "there is no /proc";
const skipGroups = skip || (cgroups === undefined && "this machine lets us make no control groups");
after(() => rm(root, { recursive: true }));

const BARE: Guards = { stamps: false, cgroups: undefined };
const STAMPED: Guards = { stamps: true, cgroups: undefined };
const GROUPED: Guards = { stamps: false, cgroups };

/** `$leaf` sleeps under the token's name. */
const LEAF = `export leaf='exec -a "$0" sleep 300'\n`;
const CLOSED = "</dev/null >/dev/null 2>&1";

/** What it runs, and how many processes of it there are by the token. */
const PROGRAMS: readonly [name: string, script: string, count: number][] = [
  ["is in a session of its own", `setsid bash -c "$leaf" "$0" & wait`, 1],
  ["has cleared its environment and left its session", `env -i setsid bash -c "$leaf" "$0" & wait`, 1],
  [
    "is a daemon: forked twice, without environment, files or folder, and orphaned",
    `cd /; (env -i setsid bash -c "($leaf) & " "$0" ${CLOSED} &) ; exit 0`,
    1,
  ],
  [
    "is deaf to every polite signal",
    `trap '' TERM HUP INT QUIT USR1; env -i setsid bash -c "trap '' TERM; $leaf" "$0" & wait`,
    1,
  ],
  ["has stopped itself", `env -i setsid bash -c 'exec -a "$0" bash -c "kill -STOP \\$\\$; sleep 300"' "$0" & wait`, 1],
  [
    "starts others that have cleared their environment, faster than they end",
    `for n in 1 2 3; do env -i setsid bash -c 'while :; do (exec -a "$0" sleep 1) & (exec -a "$0" sleep 0.3); done' "$0" & done; wait`,
    4,
  ],
];

/** It takes off the stamp by hand. */
const SHEDS = `ulimit -x 5; env -i setsid bash -c "$leaf" "$0" & wait`;

let count = 0;
async function launchOf(script: string): Promise<{ readonly launch: Launch; readonly token: string }> {
  const token = `hostile-${process.pid}-${++count}-`;
  const folder = join(root, String(count));
  await mkdir(join(folder, "out"), { recursive: true });
  const launch = {
    ...{ backend: "local" as const, size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{ runId: token, jobId: "j", attempt: 1, folder, workdir: join(folder, "out") },
    ...{ argv: ["bash", "-c", LEAF + script, token], env: { PATH: process.env["PATH"] ?? "" } },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
  };
  return { launch, token };
}

/** Sleepers by the token alone. */
function sleepers(token: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && cmdlineOf(name).startsWith(token))
    .map(Number);
}

function cmdlineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

async function untilThere(token: string, wanted: number): Promise<void> {
  while (sleepers(token).length < wanted) await new Promise((resolve) => setImmediate(resolve));
}

/** Runs it, ends it, and answers the report and who is left. */
async function endIt(script: string, wanted: number, guards: Guards) {
  const executor = new LocalExecutor(guards);
  try {
    const { launch, token } = await launchOf(script);
    const running = executor.start(launch);
    await untilThere(token, wanted);
    const report = await executor.kill({ runId: launch.runId, graceMs: 100 });
    const left = sleepers(token);
    for (const pid of left) process.kill(pid, "SIGKILL");
    await running.exit;
    return { report, left };
  } finally {
    await executor.close();
  }
}

describe("a program is ended with its job, known by its stamp, that", { skip }, () => {
  for (const [name, script, wanted] of PROGRAMS)
    it(name, async () => {
      const { report, left } = await endIt(script, wanted, STAMPED);
      assert.deepEqual(left, []);
      assert.deepEqual([report.proven, report.evidence], [true, ["scans"]]);
      assert.ok(report.jobs.reduce((sum, { found }) => sum + found, 0) >= wanted, JSON.stringify(report));
    });
});

describe("a program is ended with its job, known by its control group, that", { skip: skipGroups }, () => {
  for (const [name, script, wanted] of [...PROGRAMS, ["has taken off its stamp", SHEDS, 1] as const])
    it(name, async () => {
      const { report, left } = await endIt(script, wanted, GROUPED);
      assert.deepEqual(left, []);
      assert.deepEqual([report.proven, report.evidence], [true, ["scans", "cgroup"]]);
      assert.deepEqual(
        report.jobs.map(({ jobId, attempt }) => [jobId, attempt]),
        [["j", 1]],
      );
    });
});

describe("what the documentation calls an escape is one", { skip }, () => {
  it("of a cleared environment in another session, where there is neither stamp nor control group", async () => {
    const { left } = await endIt(`env -i setsid bash -c "$leaf" "$0" & wait`, 1, BARE);
    assert.equal(left.length, 1);
  });

  it("of one that has taken off its stamp as well, where there is no control group", async () => {
    const { left } = await endIt(SHEDS, 1, STAMPED);
    assert.equal(left.length, 1);
  });
});
