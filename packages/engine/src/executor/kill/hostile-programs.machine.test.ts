import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { join } from "node:path";
import { describe, it } from "node:test";
import { machineCgroups, openJobCgroups } from "../cgroup/open-job-cgroups.ts";
import { launchIn } from "../testing/launch.ts";
import { LocalExecutor, type Guards } from "../local/local-executor.ts";
import { LEAF, PROGRAMS, sleepers, untilThere } from "./testing/hostile-programs.ts";

const root = temporaryFolder();
const cgroups = await openJobCgroups(`weft-test-${process.pid}`, machineCgroups());
const skip = process.platform !== "linux" && "there is no /proc";
const skipGroups = skip || (cgroups === undefined && "this machine does not allow control groups");

const BARE: Guards = { stamps: false, cgroups: undefined, limits: DEFAULT_LIMITS };
const STAMPED: Guards = { stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS };
const GROUPED: Guards = { stamps: false, cgroups, limits: DEFAULT_LIMITS };

/** Removes its own stamp. */
const SHEDS = `ulimit -x 5; env -i setsid bash -c "$leaf" "$0" & wait`;

let count = 0;
/** Runs a script as a job, ends the job, and returns the report and the remaining processes. */
async function endIt(script: string, wanted: number, guards: Guards) {
  const executor = new LocalExecutor(guards);
  try {
    const token = `hostile-${process.pid}-${++count}-`;
    const argv = ["bash", "-c", LEAF + script, token];
    const running = executor.submit(launchIn(join(root, token), { runId: token, argv }));
    await untilThere(token, wanted);
    const report = await executor.cancel({ runId: token, graceMs: 100 });
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
  for (const [how, script, guards] of [
    ["in another session, without a stamp", `env -i setsid bash -c "$leaf" "$0" & wait`, BARE],
    ["and a removed stamp", SHEDS, STAMPED],
  ] as const)
    it(`survives with a cleared environment ${how}, without a control group`, async () =>
      assert.equal((await endIt(script, 1, guards)).left.length, 1));
});
