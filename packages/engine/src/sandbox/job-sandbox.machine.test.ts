import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Log } from "../log.ts";
import { launcherPath } from "../executor/launcher-path.ts";
import { runProgram, type RunProgram } from "../executor/run-program.ts";
import { openJobSandbox } from "./job-sandbox.ts";
import { sandboxPlaces } from "./sandbox-places.ts";
import { SandboxUnusable } from "./sandbox-unusable.ts";

const programs = temporaryFolder();
const stateFolder = temporaryFolder({ "runs/": "" });
const runsFolder = join(stateFolder, "runs");
const places = () => sandboxPlaces({ root: stateFolder, runsFolder, stores: [] }, []);
const JOB = {
  ...{ outdir: runsFolder, tmpdir: runsFolder, runFolder: runsFolder, staging: [] },
  ...{ inplaceUpdate: false, networkAccess: true, realPath: async (path: string) => path },
};

/** A bwrap that prints its version, and a launcher whose trial ends as given. Returns the log. */
async function open(setting: SandboxSetting, trial: { readonly code: number; readonly stderr: string } | undefined) {
  const path = process.env["PATH"] ?? "";
  const logged: string[] = [];
  const run: RunProgram = async (program, [word = ""]) => {
    const end = { code: 0, stdout: "bubblewrap 9.9\n", stderr: "" };
    if (program === join(programs, "bwrap")) return end;
    assert.equal(program, launcherPath());
    writeFileSync(join(word, "record"), `exit ${trial?.code}\n`);
    writeFileSync(join(word, "stderr"), trial?.stderr ?? "");
    return end;
  };
  if (trial !== undefined) writeFileSync(join(programs, "bwrap"), "", { mode: 0o755 });
  process.env["PATH"] = trial === undefined ? "" : [programs, path].join(delimiter);
  try {
    const log: Log = (...line) => void logged.push(line.map((part) => JSON.stringify(part)).join(" "));
    const sandbox = await openJobSandbox({ setting, places, run, log });
    return { logged, closed: await sandbox.enclose(JOB, {}) };
  } finally {
    process.env["PATH"] = path;
    rmSync(join(programs, "bwrap"), { force: true });
  }
}

const REFUSED = { code: 1, stderr: "bwrap: No permissions to create new namespace\nsee the manual\n" };
const FINE = { code: 17, stderr: "" };

const skip = launcherPath() === undefined && "there is no launcher for this system (run it on Linux, x86-64 or ARM64)";

describe("openJobSandbox", { skip }, () => {
  it("tries nothing if the sandbox is off", async () => {
    const { logged, closed } = await open("none", undefined);
    const record = { kind: "none", why: "sandboxes are turned off (--sandbox none)" };
    assert.deepEqual([closed, logged], [{ record, launch: {} }, []]);
  });

  it("confines jobs if the trial succeeded", async () => {
    const { closed } = await open("auto", FINE);
    assert.deepEqual(closed.record, { kind: "bubblewrap", version: "9.9", network: true });
    assert.equal(closed.launch.sandbox?.argv[0], join(programs, "bwrap"));
  });

  const refusals = {
    "bubblewrap is not installed": [undefined, /bubblewrap is not installed/],
    "the kernel refuses": [REFUSED, /bubblewrap does not work here: bwrap: No permissions to create (?!.*\n)/],
    "a trial could write outside its folder": [
      { code: 2, stderr: "" },
      /bubblewrap does not work here: a trial ended with 2/,
    ],
    "a trial ran nothing": [{ code: 0, stderr: "" }, /a trial ended with 0/],
  } as const;
  for (const [name, [trial, why]] of Object.entries(refusals)) {
    it(`continues without a sandbox and reports this once if ${name}`, async () => {
      const { logged, closed } = await open("auto", trial);
      assert.deepEqual(closed.launch, {});
      assert.match(closed.record.kind === "none" ? closed.record.why : "", why);
      assert.match(logged.join("\n"), /^"warn" "jobs without a container run without a sandbox".*$/);
    });

    it(`does not start if a sandbox is required and ${name}`, () =>
      assert.rejects(open("required", trial), (error) => error instanceof SandboxUnusable && why.test(error.message)));
  }

  it("leaves nothing of its trial behind", () => assert.deepEqual(readdirSync(runsFolder), []));

  it("tries a real program, regardless of what this machine allows", async () => {
    const logged: string[] = [];
    const log = (level: string) => void logged.push(level);
    const sandbox = await openJobSandbox({ setting: "auto", places, run: runProgram, log });
    const { launch, record } = await sandbox.enclose(JOB, {});
    const isOpen = record.kind === "none";
    assert.deepEqual([Object.keys(launch).length === 0, logged], [isOpen, [isOpen ? "warn" : "info"]]);
  });
});
