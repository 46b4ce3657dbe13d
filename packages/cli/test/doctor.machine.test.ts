import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { machineReportSchema, type CheckId, type MachineCheck } from "@weft/shared/records/machine-record.ts";
import { needsRoot } from "@weft/tooling/lacks.ts";
import { expectExit, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const folder = temporaryFolder();
/** Leaves containers to other tests. */
const QUICK = ["doctor", "--json", "--port", "0", "--container", "none"];

async function examine(state: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await weft([...QUICK, "--state", state, ...args]);
  assert.equal(stderr, "");
  const { checks } = machineReportSchema.parse(JSON.parse(stdout));
  return { code, check: (id: CheckId) => named(checks, id) };
}

function named(checks: readonly MachineCheck[], id: CheckId): MachineCheck {
  const found = checks.find((check) => check.id === id);
  assert.ok(found !== undefined, id);
  return found;
}

describe("weft doctor", () => {
  it("prints a line for each check, and a command below each that has not passed", async () => {
    const { stdout } = await weft([...QUICK.filter((word) => word !== "--json"), "--state", join(folder, "new")]);
    const [head = "", blank, ...lines] = stdout.trimEnd().split("\n");
    assert.match(head, /^Weft \d+\.\d+\.\d+ on \w+ \w+$/);
    assert.equal(blank, "");
    const [checks, summary] = [lines.slice(0, -2), lines.at(-1) ?? ""];
    for (const [index, line] of checks.entries()) {
      assert.match(line, /^(?:[✓!✗] [A-Z]| +Run: \S)/);
      if (/^[!✗]/.test(line)) assert.match(checks[index + 1] ?? "", /^ +Run: /);
    }
    assert.match(summary, /^\d+ of 16 checks passed/);
  });

  it(
    "says that bubblewrap is missing",
    { skip: process.platform === "linux" ? false : "only Linux has bubblewrap" },
    async (t) => {
      const programs = join(folder, "programs");
      mkdirSync(programs);
      symlinkSync(process.execPath, join(programs, "node"));
      // The engine looks for programs in the PATH of its process.
      const { PATH } = process.env;
      t.after(() => (process.env["PATH"] = PATH));
      process.env["PATH"] = programs;
      const run = (...args: readonly string[]) => weft([...QUICK, "--state", join(folder, "new"), ...args]);
      const { stdout, code } = await run();
      const sandbox = named(machineReportSchema.parse(JSON.parse(stdout)).checks, "sandbox");
      assert.match(sandbox.detail, /^bubblewrap is not installed/);
      assert.deepEqual([sandbox.state, sandbox.fix?.endsWith(" bubblewrap"), code], ["warning", true, 0]);
      assert.equal((await run("--sandbox", "required")).code, 1);
    },
  );

  it("says that the disk is full", { skip: needsRoot("mounts a small disk") }, async (t) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", disk]);
    if (mounted.status !== 0) return t.skip("this machine mounts no tmpfs");
    t.after(() => spawnSync("umount", [disk]));
    assert.throws(() => writeFileSync(join(disk, "large"), Buffer.alloc(1_000_000)), { code: "ENOSPC" });
    const { code, check } = await examine(disk);
    assert.match(check("disk").detail, /is full/);
    assert.deepEqual([check("disk").state, code], ["failed", 1]);
  });

  it("says who owns the state folder", { skip: needsRoot("makes a folder of another account") }, async () => {
    const state = join(folder, "of-another");
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, 54_321, 54_321);
    const { code, check } = await examine(state);
    const { detail, fix } = check("state-folder");
    assert.match(detail, /belongs to another account \(#54321; this is root\)/);
    assert.deepEqual([fix, code], [`sudo -u '#54321' weft serve --state ${state}`, 1]);
  });

  it("examines the folder of a running server, and names its address", async (t) => {
    const state = join(folder, "served");
    const server = await serve(["--state", state]);
    t.after(() => server.stop("SIGTERM"));
    const { check } = await examine(state, "--port", new URL(server.address).port);
    assert.match(check("state-folder").detail, new RegExp(`intact; used by the server at ${server.address}$`));
    assert.equal(check("port").detail, `the server listens at ${server.address}`);
    const message = /in use by another Weft process.*\nRun "weft doctor"/s;
    await expectExit(["serve", "--port", "0", "--state", state], 78, message);
    assert.equal((await fetch(`${server.address}/healthz`)).status, 200, "it still serves");
  });

  it("finds changed events and damaged files", async () => {
    const state = join(folder, "damaged");
    await (await serve(["--state", state])).stop("SIGTERM");
    const database = join(state, "weft.db");
    {
      using db = new DatabaseSync(database);
      db.exec("UPDATE events SET actor = 'mallory' WHERE seq = 1");
    }
    assert.match((await examine(state)).check("state-folder").detail, /event 1 does not match the hash chain/);
    writeFileSync(database, "not a database, whatever its name says".repeat(100));
    const { code, check } = await examine(state);
    assert.match(check("state-folder").detail, /cannot be read: file is not a database/);
    assert.equal(code, 1);
  });
});
