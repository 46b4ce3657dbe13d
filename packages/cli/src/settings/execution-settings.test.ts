import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { DEFAULT_LIMITS, LIMIT_NAMES, LIMITS, limitFlag } from "@weft/shared/limits.ts";
import { UsageError } from "../exit/exit.ts";
import { settingsOf } from "../testing/settings-of.ts";
import { backendSetting, executionSettings } from "./execution-settings.ts";
import { FURTHER_JOB_FLAGS, JOB_FLAGS } from "./flags.ts";

const read = (args: readonly string[], sandbox: "auto" | "none" = "none") =>
  executionSettings(settingsOf([...JOB_FLAGS, ...FURTHER_JOB_FLAGS], ...args), sandbox);

describe("settings of jobs", () => {
  const containers: readonly [string, string][] = [
    ["", "auto"],
    ["--container podman", "podman"],
    ["--container=none", "none"],
    ["--no-container", "none"],
    ["--no-container --container docker", "none"],
  ];
  for (const [line, expected] of containers)
    it(`read the container engine from ${line || "nothing"}`, async () =>
      assert.equal((await read(line.split(" ").filter(Boolean))).container, expected));

  const sandboxes = [
    ["", "none", "none"],
    ["", "auto", "auto"],
    ["--sandbox required", "auto", "required"],
    ["--sandbox=none", "auto", "none"],
  ] as const;
  for (const [line, fallback, expected] of sandboxes)
    it(`read the sandbox from ${line || "nothing"} if ${fallback} is the default`, async () =>
      assert.equal((await read(line.split(" ").filter(Boolean), fallback)).jobSandbox, expected));

  const unknown: readonly [string, RegExp][] = [
    ["--container lxc", /must be one of auto, docker, .*not "lxc"/],
    ["--sandbox firejail", /must be one of auto, required, none, not "firejail"/],
    ["--backend pbs", /--backend must be one of local, slurm, tes, not "pbs"/],
  ];
  for (const [line, message] of unknown)
    it(`refuse ${line}`, () => assert.rejects(read(line.split(" ")), { name: "Error", message }));
});

describe("limits", () => {
  const limitsOf = async (...changes: string[]) =>
    (await read(changes.flatMap((change) => ["--limit", change]))).limits;

  it("have defaults, and --limit changes one", async () => {
    assert.deepEqual(await limitsOf(), DEFAULT_LIMITS);
    const changed = await limitsOf("jobs-per-scatter=5", "value-items=9", "value-items=10");
    assert.deepEqual(changed, { ...DEFAULT_LIMITS, jobsPerScatter: 5, valueItems: 10 });
  });

  it("can be 0 only if that turns them off", async () => {
    for (const name of LIMIT_NAMES) {
      const change = limitsOf(`${limitFlag(name)}=0`);
      if (LIMITS[name].description.includes("0 turns this off")) assert.equal((await change)[name], 0);
      else await assert.rejects(change, /of at least 1, /);
    }
  });

  for (const wrong of [
    "jobs-per-scatter",
    "jobs-per-scatter=0",
    "disk-reserve-bytes=",
    "disk-reserve-bytes=-1",
    "jobs-per-scatter=-1",
    "jobs-per-scatter=1e9",
    "nothing=1",
    "toString=1",
    "value-depth=10",
    `value-items=${"9".repeat(20)}`,
  ])
    it(`refuse ${wrong} with the names`, () =>
      assert.rejects(limitsOf(wrong), /--limit takes NAME=N .*jobs-per-scatter, /));

  it("are all in docs/reference/limits.md, with their defaults", () => {
    const page = readFileSync(new URL("../../../../docs/reference/limits.md", import.meta.url), "utf8");
    const rows = LIMIT_NAMES.map((name) => {
      const { default: value, unit, description } = LIMITS[name];
      return `| \`${limitFlag(name)}\` | ${value.toLocaleString("en")} ${unit} | ${description} |`;
    });
    assert.deepEqual(
      page.split("\n").filter((line) => line.startsWith("| `")),
      rows,
    );
  });
});

const configured = (sections: Readonly<Record<string, unknown>>, backend?: string) =>
  backendSetting({ text: () => backend, resolve: (path) => resolve(path), section: (key) => sections[key] });

describe("the setting of the backend", () => {
  it("is this machine by default", async () =>
    assert.deepEqual((await configured({})).policy, { standard: "local", rules: [] }));

  it("uses the section of Slurm, and defaults for the others", async () => {
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
    const { policy, slurm } = await configured({ slurm: section }, "slurm");
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

  const url = "https://tes.example.org/ga4gh/tes/v1";

  it("uses the section of TES, and defaults for the others", async () => {
    const storage = { "/shared": "file:///mnt/shared" };
    const rules = [{ backend: "local", step: "report" }];
    const section = { url, default_image: "debian:12", poll_seconds: 0.5, storage, rules };
    const { policy, tes } = await configured({ tes: section }, "tes");
    assert.deepEqual([policy.standard, policy.rules.length, policy.defaultImage], ["tes", 1, "debian:12"]);
    assert.deepEqual([tes.url, tes.pollMs, tes.maxJobs, tes.storage], [url, 500, 200, storage]);
  });

  const wrong: Readonly<Record<string, readonly [{ slurm?: unknown; tes?: unknown }, RegExp]>> = {
    "an array": [{ slurm: [] }, /slurm: Invalid input: expected object, received array/],
    null: [{ slurm: null }, /slurm: .*expected object, received null/],
    "an unknown key": [{ slurm: { partitions: "x" } }, /slurm: there is no key "partitions", only account, array_size/],
    "an unknown inner key": [{ slurm: { commands: { srun: "x" } } }, /slurm\.commands: there is no key "srun"/],
    "a number instead of a text": [
      { slurm: { partition: 3 } },
      /slurm\.partition: Invalid input: expected string, received number/,
    ],
    "an empty text": [{ slurm: { qos: "" } }, /slurm\.qos: Too small/],
    "an unknown way to request memory": [
      { slurm: { memory: "all" } },
      /slurm\.memory: .*expected one of "job"\|"cpu"\|"none"/,
    ],
    "a text instead of a list": [{ slurm: { options: "--x" } }, /slurm\.options: .*expected array, received string/],
    "a number that is too small": [{ slurm: { max_jobs: 0 } }, /slurm\.max_jobs: Too small: expected number to be >=1/],
    "a fraction of a job": [{ slurm: { array_size: 1.5 } }, /slurm\.array_size: .*expected int/],
    "a rule without a backend": [
      { slurm: { rules: [{ step: "x" }] } },
      /slurm\.rules\[0\]\.backend: .*expected one of "local"\|"slurm"\|"tes"/,
    ],
    "a rule that is not an object": [
      { slurm: { rules: ["x"] } },
      /slurm\.rules\[0\]: .*expected object, received string/,
    ],
    "rules that are not a list": [{ slurm: { rules: {} } }, /slurm\.rules: .*expected array, received object/],
    "no server": [{ tes: { rules: [{ backend: "tes" }] } }, /tes\.url: must name the TES server that gets jobs/],
    "the host of a server only": [{ tes: { url: "tes:8000" } }, /tes\.url: must be the http\(s\) address of the API/],
    "a token that does not exist": [
      { tes: { url, token_file: "/no/such/token" } },
      /tes\.token_file: names a file that does not exist/,
    ],
    "a relative folder": [
      { tes: { url, storage: { shared: "file:///mnt" } } },
      /tes\.storage\.shared: must be an absolute path/,
    ],
    "an invalid address of a folder": [
      { tes: { url, storage: { "/shared": "mnt" } } },
      /tes\.storage\["\/shared"\]: must be a path or an address/,
    ],
    "an unknown key of TES": [{ tes: { url, image: "x" } }, /tes: there is no key "image", only default_image/],
  };
  for (const [what, [sections, message]] of Object.entries(wrong))
    it(`is refused with the position of ${what}`, () =>
      assert.rejects(configured(sections), (error) => error instanceof UsageError && message.test(error.message)));

  it("is refused for TES without a server", () =>
    assert.rejects(configured({ tes: {} }, "tes"), /tes\.url: must name the TES server/));
});
