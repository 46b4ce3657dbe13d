import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { machineCgroups, openJobCgroups } from "../cgroup/open-job-cgroups.ts";
import type { Launch } from "../executor.ts";
import { LocalExecutor } from "../local/local-executor.ts";
import type { Guards } from "../local/local-executor.ts";
import { LEAF, PROGRAMS, sleepers, untilThere } from "./testing/hostile-programs.ts";

const root = await mkdtemp(join(tmpdir(), "weft-hostile-"));
const cgroups = await openJobCgroups(`weft-test-${process.pid}`, machineCgroups());
const skip = process.platform !== "linux" && "there is no /proc";
const skipGroups = skip || (cgroups === undefined && "this machine does not allow control groups");
after(() => rm(root, { recursive: true }));

const BARE: Guards = { stamps: false, cgroups: undefined, limits: DEFAULT_LIMITS };
const STAMPED: Guards = { stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS };
const GROUPED: Guards = { stamps: false, cgroups, limits: DEFAULT_LIMITS };

/** Removes its own stamp. */
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

/** Runs a script as a job, ends the job, and returns the report and the remaining processes. */
async function endIt(script: string, wanted: number, guards: Guards) {
  const executor = new LocalExecutor(guards);
  try {
    const { launch, token } = await launchOf(script);
    const running = executor.submit(launch);
    await untilThere(token, wanted);
    const report = await executor.cancel({ runId: launch.runId, graceMs: 100 });
    const left = sleepers(token);
    for (const pid of left) process.kill(pid, "SIGKILL");
    await running.exit;
    return { report, left };
  } finally {
    await executor.close();
  }
}

describe("the stamp of a job identifies a program that", { skip }, () => {
  for (const [name, script, wanted] of PROGRAMS)
    it(name, async () => {
      const { report, left } = await endIt(script, wanted, STAMPED);
      assert.deepEqual(left, []);
      assert.deepEqual([report.proven, report.evidence], [true, ["scans"]]);
      assert.ok(report.jobs.reduce((sum, { found }) => sum + found, 0) >= wanted, JSON.stringify(report));
    });
});

describe("the control group of a job identifies a program that", { skip: skipGroups }, () => {
  for (const [name, script, wanted] of [...PROGRAMS, ["has removed its stamp", SHEDS, 1] as const])
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

describe("a process that escapes as documented", { skip }, () => {
  it("survives with a cleared environment in another session, without a stamp or control group", async () => {
    const { left } = await endIt(`env -i setsid bash -c "$leaf" "$0" & wait`, 1, BARE);
    assert.equal(left.length, 1);
  });

  it("survives with a cleared environment and a removed stamp, without a control group", async () => {
    const { left } = await endIt(SHEDS, 1, STAMPED);
    assert.equal(left.length, 1);
  });
});
