import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { parseExit } from "../job-record-text.ts";
import { launchScript, writeLaunch } from "../launch-script.ts";
import type { Launch } from "../executor.ts";
import { FOLDER_NOT_FOUND, sbatchArgv, sbatchScript } from "./sbatch-request.ts";
import type { Batch } from "./sbatch-request.ts";
import { DEFAULT_SLURM } from "./slurm-settings.ts";

const root = await mkdtemp(join(tmpdir(), "weft-sbatch-"));
after(() => rm(root, { recursive: true }));

const NOTHING = { cores: 1, ramMib: undefined, seconds: undefined };
const BATCH: Batch = { name: "weft-r-1", tasks: [["/a"], ["/b"]], size: NOTHING };

describe("the options of sbatch", () => {
  const cases: readonly (readonly [string, Partial<Batch>, Partial<typeof DEFAULT_SLURM>, readonly string[]])[] = [
    ["ask for whole cores", { size: { ...NOTHING, cores: 1.5 } }, {}, ["--cpus-per-task=2"]],
    ["pass the memory on", { size: { ...NOTHING, ramMib: 512 } }, {}, ["--mem=512M"]],
    [
      "pass the memory on for each core where the site wants that",
      { size: { ...NOTHING, cores: 3, ramMib: 1000 } },
      { memory: "cpu" },
      ["--mem-per-cpu=334M"],
    ],
    ["pass a time limit on, with a minute to spare", { size: { ...NOTHING, seconds: 61 } }, {}, ["--time=3"]],
    [
      "add the limits of jobs that share a task",
      { tasks: [["/a", "/b"]], size: { ...NOTHING, seconds: 60 } },
      {},
      ["--time=3"],
    ],
    [
      "name what the site chose",
      {},
      { partition: "big", account: "lab", qos: "high" },
      ["--partition=big", "--account=lab", "--qos=high"],
    ],
    [
      "say always who decides on another attempt, and what is in the environment",
      {},
      {},
      ["--no-requeue", "--export=PATH", "--array=0-1"],
    ],
  ];
  for (const [what, batch, settings, expected] of cases) {
    it(what, () => {
      const argv = sbatchArgv({ ...BATCH, ...batch }, { ...DEFAULT_SLURM, ...settings });
      assert.deepEqual(
        expected.filter((word) => !argv.includes(word)),
        [],
      );
    });
  }

  it("are silent about memory where the site takes no word of it", () => {
    const size = { ...NOTHING, ramMib: 512 };
    const argv = sbatchArgv({ ...BATCH, size }, { ...DEFAULT_SLURM, memory: "none" });
    assert.ok(!argv.some((word) => word.startsWith("--mem")));
  });

  it("are silent about what nobody asked for", () => {
    const argv = sbatchArgv(BATCH, DEFAULT_SLURM);
    assert.deepEqual(
      argv.filter((word) => /^--(?:mem|time|partition|account|qos)=/.test(word)),
      [],
    );
  });

  it("end with the site's own, which win", () => {
    const argv = sbatchArgv(BATCH, { ...DEFAULT_SLURM, options: ["--time=99", "--constraint=avx2"] });
    assert.deepEqual(argv.slice(-2), ["--time=99", "--constraint=avx2"]);
  });
});

let count = 0;
async function attempt(argv: readonly string[]): Promise<Launch> {
  const folder = join(root, `job's folder ${++count}`);
  await mkdir(join(folder, "out"), { recursive: true });
  const launch: Launch = {
    ...{ runId: "r", jobId: `j${count}`, attempt: 1, backend: "slurm", size: NOTHING },
    ...{ folder, workdir: join(folder, "out"), argv, env: { PATH: process.env["PATH"] ?? "" } },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
  };
  assert.equal(writeLaunch(launch, launchScript), undefined);
  return launch;
}

/** As a node runs it; answers its exit code. */
function runTask(launches: readonly Launch[], index = 0): number {
  const script = sbatchScript({ ...BATCH, tasks: [["/nowhere"], launches.map(({ folder }) => folder)] }, 1);
  const env = {
    PATH: process.env["PATH"] ?? "",
    SLURM_ARRAY_JOB_ID: "12",
    SLURM_ARRAY_TASK_ID: String(index),
    SLURMD_NODENAME: "n1",
  };
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
    const [one, other] = [await attempt(["sh", "-c", "echo one; exit 3"]), await attempt(["sh", "-c", "echo other"])];
    assert.equal(runTask([one, other], 1), 0);
    assert.deepEqual([await readFile(one.stdout, "utf8"), await readFile(other.stdout, "utf8")], ["one\n", "other\n"]);
    assert.match(await recordOf(one), /^slurm 12_1 n1\npid \d+\n/);
    assert.deepEqual([parseExit(await recordOf(one))?.exitCode, parseExit(await recordOf(other))?.exitCode], [3, 0]);
  });

  it("leaves nothing of Slurm in the environment of a program", async () => {
    const launch = await attempt(["env"]);
    runTask([launch], 1);
    assert.doesNotMatch(await readFile(launch.stdout, "utf8"), /SLURM|SBATCH/);
  });

  it("runs nothing a second time", async () => {
    const launch = await attempt(["sh", "-c", 'echo x >>"$0"', join(root, "twice")]);
    runTask([launch], 1);
    assert.equal(runTask([launch], 1), 0);
    assert.equal(await readFile(join(root, "twice"), "utf8"), "x\n");
  });

  it("says by its code that it did not find a folder", () => {
    assert.equal(runTask([], 0), FOLDER_NOT_FOUND);
  });
});
