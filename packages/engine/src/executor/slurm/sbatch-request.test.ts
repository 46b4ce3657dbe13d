import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sbatchArgv } from "./sbatch-request.ts";
import type { Batch } from "./sbatch-request.ts";
import { DEFAULT_SLURM } from "./slurm-settings.ts";

const NOTHING = { cores: 1, ramMib: undefined, seconds: undefined };
const BATCH: Batch = { name: "weft-r-1", tasks: [["/a"], ["/b"]], size: NOTHING };

describe("the options of sbatch", () => {
  const cases: Readonly<Record<string, readonly [Partial<Batch>, Partial<typeof DEFAULT_SLURM>, readonly string[]]>> = {
    "request whole cores": [{ size: { ...NOTHING, cores: 1.5 } }, {}, ["--cpus-per-task=2"]],
    "pass the memory on": [{ size: { ...NOTHING, ramMib: 512 } }, {}, ["--mem=512M"]],
    "request memory per core if the site requires it": [
      { size: { ...NOTHING, cores: 3, ramMib: 1000 } },
      { memory: "cpu" },
      ["--mem-per-cpu=334M"],
    ],
    "pass a time limit on, with a minute to spare": [{ size: { ...NOTHING, seconds: 61 } }, {}, ["--time=3"]],
    "add the limits of jobs that share a task": [
      { tasks: [["/a", "/b"]], size: { ...NOTHING, seconds: 60 } },
      {},
      ["--time=3"],
    ],
    "name the site's partition, account and QOS": [
      {},
      { partition: "big", account: "lab", qos: "high" },
      ["--partition=big", "--account=lab", "--qos=high"],
    ],
    "always disable requeueing and limit the environment": [{}, {}, ["--no-requeue", "--export=PATH", "--array=0-1"]],
  };
  for (const [what, [batch, settings, expected]] of Object.entries(cases))
    it(what, () => {
      const argv = sbatchArgv({ ...BATCH, ...batch }, { ...DEFAULT_SLURM, ...settings });
      assert.deepEqual(
        expected.filter((word) => !argv.includes(word)),
        [],
      );
    });

  it("omit memory if the site does not accept it", () => {
    const size = { ...NOTHING, ramMib: 512 };
    const argv = sbatchArgv({ ...BATCH, size }, { ...DEFAULT_SLURM, memory: "none" });
    assert.ok(!argv.some((word) => word.startsWith("--mem")));
  });

  it("do not mention unrequested resources", () => {
    const argv = sbatchArgv(BATCH, DEFAULT_SLURM);
    assert.deepEqual(
      argv.filter((word) => /^--(?:mem|time|partition|account|qos)=/.test(word)),
      [],
    );
  });

  it("end with the site's own options, which take precedence", () => {
    const argv = sbatchArgv(BATCH, { ...DEFAULT_SLURM, options: ["--time=99", "--constraint=avx2"] });
    assert.deepEqual(argv.slice(-2), ["--time=99", "--constraint=avx2"]);
  });
});
