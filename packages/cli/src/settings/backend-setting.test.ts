import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { backendSetting } from "./execution-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

const given = (slurm: unknown, backend?: string) =>
  backendSetting({
    text: () => backend,
    resolve: (path) => resolve(path),
    section: (key) => (key === "slurm" ? slurm : undefined),
  });

describe("the setting of the backend", () => {
  it("is this machine by default", async () =>
    assert.deepEqual((await given(undefined)).policy, { standard: "local", rules: [] }));

  it("uses the settings of the section, and defaults for the others", async () => {
    const section = {
      partition: "big",
      options: ["--constraint=avx2"],
      commands: { squeue: "/opt/slurm/bin/squeue" },
      poll_seconds: 0.5,
      pack: { jobs: 5 },
      rules: [
        { backend: "local", step: "qc/*" },
        { backend: "slurm", ram_mib: 1000 },
      ],
    };
    const { policy, slurm } = await given(section, "slurm");
    assert.deepEqual(
      policy.rules.map(({ backend, step, ramMib }) => [backend, step, ramMib]),
      [
        ["local", "qc/*", undefined],
        ["slurm", undefined, 1000],
      ],
    );
    assert.deepEqual(
      [slurm.partition, slurm.account, slurm.options, slurm.pollMs, slurm.latencyMs, slurm.pack],
      ["big", undefined, ["--constraint=avx2"], 500, 30_000, { jobs: 5, seconds: 600 }],
    );
    assert.deepEqual([slurm.commands.squeue, slurm.commands.sbatch], ["/opt/slurm/bin/squeue", "sbatch"]);
  });

  const wrong: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    "is not an object": [[], /slurm: Invalid input: expected object, received array/],
    "has an unknown key": [{ partitions: "x" }, /slurm: there is no key "partitions", only account, array_size/],
    "has an unknown inner key": [{ commands: { srun: "x" } }, /slurm\.commands: there is no key "srun"/],
    "has a number instead of a text": [
      { partition: 3 },
      /slurm\.partition: Invalid input: expected string, received number/,
    ],
    "has an empty text": [{ qos: "" }, /slurm\.qos: Too small/],
    "names an unknown way to request memory": [
      { memory: "all" },
      /slurm\.memory: .*expected one of "job"\|"cpu"\|"none"/,
    ],
    "has a text instead of a list": [{ options: "--x" }, /slurm\.options: .*expected array, received string/],
    "has a number that is too small": [{ max_jobs: 0 }, /slurm\.max_jobs: Too small: expected number to be >=1/],
    "has a fraction of a job": [{ array_size: 1.5 }, /slurm\.array_size: .*expected int/],
    "has a rule without a backend": [
      { rules: [{ step: "x" }] },
      /slurm\.rules\[0\]\.backend: .*expected one of "local"\|"slurm"\|"tes"/,
    ],
    "has a rule that is not an object": [{ rules: ["x"] }, /slurm\.rules\[0\]: .*expected object, received string/],
    "is null": [null, /slurm: .*expected object, received null/],
    "has rules that are not a list": [{ rules: {} }, /slurm\.rules: .*expected array, received object/],
  };
  for (const [what, [section, message]] of Object.entries(wrong))
    it(`is refused with its position if the section ${what}`, () =>
      assert.rejects(
        () => given(section),
        (error) => error instanceof UsageError && message.test(error.message),
      ));

  it("is refused if the backend is unknown", () =>
    assert.rejects(() => given(undefined, "pbs"), /--backend must be one of local, slurm, tes, not "pbs"/));
});

describe("the setting of a TES server", () => {
  const withTes = (tes: unknown, backend?: string) =>
    backendSetting({
      text: () => backend,
      resolve: (path) => resolve(path),
      section: (key) => (key === "tes" ? tes : undefined),
    });
  const url = "https://tes.example.org/ga4gh/tes/v1";

  it("uses the settings of the section, and defaults for the others", async () => {
    const storage = { "/shared": "file:///mnt/shared" };
    const rules = [{ backend: "local", step: "report" }];
    const section = { url, default_image: "debian:12", poll_seconds: 0.5, storage, rules };
    const { policy, tes } = await withTes(section, "tes");
    assert.deepEqual([policy.standard, policy.rules.length, policy.defaultImage], ["tes", 1, "debian:12"]);
    assert.deepEqual([tes.url, tes.pollMs, tes.maxJobs, tes.storage], [url, 500, 200, storage]);
  });

  const wrong: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    "names no server": [{}, /tes\.url: must name the TES server that gets jobs/],
    "names the host of a server only": [{ url: "tes:8000" }, /tes\.url: must be the http\(s\) address of the API/],
    "names a token that does not exist": [
      { url, token_file: "/no/such/token" },
      /tes\.token_file: names a file that does not exist/,
    ],
    "maps a relative folder": [
      { url, storage: { shared: "file:///mnt" } },
      /tes\.storage\.shared: must be an absolute path/,
    ],
    "maps a folder to an invalid address": [
      { url, storage: { "/shared": "mnt" } },
      /tes\.storage\["\/shared"\]: must be a path or an address/,
    ],
    "has an unknown key": [{ url, image: "x" }, /tes: there is no key "image", only default_image/],
  };
  for (const [what, [section, message]] of Object.entries(wrong))
    it(`is refused with its position if the section ${what}`, () =>
      assert.rejects(
        () => withTes(section, "tes"),
        (error) => error instanceof UsageError && message.test(error.message),
      ));

  it("is needed if a rule sends jobs there", () =>
    assert.rejects(() => withTes({ rules: [{ backend: "tes" }] }), /tes\.url: must name the TES server/));
});
