import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ONE_CORE } from "../testing/launch.ts";
import { sbatchArgv, type Batch } from "./sbatch-request.ts";
import { DEFAULT_SLURM } from "./slurm-settings.ts";

const BATCH: Batch = { name: "weft-r-1", tasks: [["/a"], ["/b"]], size: ONE_CORE };
const optionsOf = (batch: Partial<Batch> = {}, settings: Partial<typeof DEFAULT_SLURM> = {}) =>
  sbatchArgv({ ...BATCH, ...batch }, { ...DEFAULT_SLURM, ...settings });

describe("the options of sbatch", () => {
  const cases: Readonly<Record<string, readonly [Partial<Batch>, Partial<typeof DEFAULT_SLURM>, readonly string[]]>> = {
    "request whole cores": [{ size: { ...ONE_CORE, cores: 1.5 } }, {}, ["--cpus-per-task=2"]],
    "pass the memory on": [{ size: { ...ONE_CORE, ramMib: 512 } }, {}, ["--mem=512M"]],
    "request memory per core if the site requires it": [
      { size: { ...ONE_CORE, cores: 3, ramMib: 1000 } },
      { memory: "cpu" },
      ["--mem-per-cpu=334M"],
    ],
    "pass a time limit on, with a minute to spare": [{ size: { ...ONE_CORE, seconds: 61 } }, {}, ["--time=3"]],
    "add the limits of jobs that share a task": [
      { tasks: [["/a", "/b"]], size: { ...ONE_CORE, seconds: 60 } },
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
      const options = optionsOf(batch, settings);
      for (const word of expected) assert.ok(options.includes(word), options.join(" "));
    });

  it("omit memory if the site does not accept it", () => {
    const options = optionsOf({ size: { ...ONE_CORE, ramMib: 512 } }, { memory: "none" });
    assert.doesNotMatch(options.join(" "), /--mem/);
  });

  it("do not mention unrequested resources", () =>
    assert.doesNotMatch(optionsOf().join(" "), /--(?:mem|time|partition|account|qos)=/));

  it("end with the site's own options, which take precedence", () => {
    const own = ["--time=99", "--constraint=avx2"];
    assert.deepEqual(optionsOf({}, { options: own }).slice(-2), own);
  });
});
