import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Launch } from "../executor.ts";
import { parseExit } from "../job-record-text.ts";
import { writeLaunch } from "../launch-file.ts";
import { launcherPath, shareLaunchers } from "../launcher-path.ts";
import { FOLDER_NOT_FOUND, sbatchScript } from "./sbatch-request.ts";
import { launchIn, ONE_CORE } from "../testing/launch.ts";

const root = temporaryFolder();
const launcher = shareLaunchers(join(root, "launchers of all nodes"));

let count = 0;
function attempt(argv: readonly string[]): Launch {
  const launch = launchIn(join(root, `job's folder ${++count}`), { backend: "slurm", argv });
  assert.equal(writeLaunch(launch), undefined);
  return launch;
}

/** Runs a batch script as a node does; returns its exit code. */
function runTask(launches: readonly Launch[], index = 0): number {
  const tasks = [["/nowhere"], launches.map(({ folder }) => folder)];
  const script = sbatchScript({ name: "weft-r-1", tasks, size: ONE_CORE }, { launcher, latencyMs: 1 });
  const task = { SLURM_ARRAY_JOB_ID: "12", SLURM_ARRAY_TASK_ID: String(index), SLURMD_NODENAME: "n1" };
  const env = { PATH: process.env["PATH"] ?? "", ...task };
  try {
    execFileSync("bash", [], { input: script, env });
    return 0;
  } catch (error) {
    return (error as { readonly status: number }).status;
  }
}
const recordOf = ({ folder }: Launch) => readFile(join(folder, "record"), "utf8");

describe("the script on a node", () => {
  it("runs the attempts of its task, one after the other, and records where and how each ended", async () => {
    const [one, other] = [attempt(["sh", "-c", "echo one; exit 3"]), attempt(["sh", "-c", "echo other"])];
    assert.equal(runTask([one, other], 1), 0);
    assert.deepEqual([await readFile(one.stdout, "utf8"), await readFile(other.stdout, "utf8")], ["one\n", "other\n"]);
    assert.match(await recordOf(one), /^slurm 12_1 n1\npid \d+\n/);
    assert.deepEqual([parseExit(await recordOf(one))?.exitCode, parseExit(await recordOf(other))?.exitCode], [3, 0]);
  });

  it("removes Slurm's variables from the environment of a program", async () => {
    const launch = attempt(["env"]);
    runTask([launch], 1);
    assert.doesNotMatch(await readFile(launch.stdout, "utf8"), /SLURM|SBATCH/);
  });

  it("does not run an attempt a second time", async () => {
    const launch = attempt(["sh", "-c", 'echo x >>"$0"', join(root, "twice")]);
    runTask([launch], 1);
    assert.equal(runTask([launch], 1), 0);
    assert.equal(await readFile(join(root, "twice"), "utf8"), "x\n");
  });

  it("reports a missing folder by its exit code, and runs the other attempts", async () => {
    assert.equal(runTask([], 0), FOLDER_NOT_FOUND);
    const launch = attempt(["true"]);
    assert.equal(runTask([{ ...launch, folder: "/nowhere" }, launch], 1), FOLDER_NOT_FOUND);
    assert.equal(parseExit(await recordOf(launch))?.exitCode, 0);
  });

  it("waits for the end of a launch file that arrives late, and runs no part of one", async () => {
    const launch = attempt(["true"]);
    const whole = await readFile(join(launch.folder, "launch"));
    await writeFile(join(launch.folder, "launch"), whole.subarray(0, -1));
    assert.equal(runTask([launch], 1), FOLDER_NOT_FOUND);
    await assert.rejects(recordOf(launch));
    await writeFile(join(launch.folder, "launch"), whole);
    assert.equal(runTask([launch], 1), 0);
  });

  it("records how many processes the kernel has killed meanwhile in the group of the task", async () => {
    const launch = attempt(["sh", "-c", 'printf "oom 3\\noom_kill 4\\n" >"$0"', join(root, "events")]);
    await writeFile(join(root, "events"), "oom 1\noom_kill 2\noom_group_kill 9\n");
    execFileSync(launcherPath() ?? "", ["--oom", join(root, "events"), launch.folder]);
    assert.match(await recordOf(launch), /^oom 2\nexit 0\n/m);
  });
});
