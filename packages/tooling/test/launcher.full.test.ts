import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { buildLauncher, builtWith, NATIVE, TARGETS, versionsOf } from "../build-launcher.mjs";
import { buildFuzzer } from "../fuzz-launcher.mjs";
import { lacks } from "../lacks.ts";

const root = mkdtempSync(join(tmpdir(), "weft-launcher-build-"));
after(() => rmSync(root, { recursive: true }));

/** Why the compiler for a processor cannot produce the shipped bytes on this machine; false if it can. */
function whyNotIdentical(machine: keyof typeof TARGETS): string | false {
  if (machine === "x86_64" && process.arch !== "x64") return "can build for x86-64 only on x86-64 (run it there)";
  const missing = lacks(machine === "x86_64" ? "gcc" : "gccForArm");
  if (missing !== false) return missing;
  const [here, there] = [versionsOf(machine), builtWith()[machine]].map((versions) => JSON.stringify(versions));
  return here === there ? false : `needs ${there}, and this machine has ${here} (run it on that Debian)`;
}

for (const machine of Object.keys(TARGETS) as (keyof typeof TARGETS)[])
  describe(`the launcher for ${machine}`, () => {
    const shipped = join(NATIVE, `weft-exec-${machine}`);

    it("is the output of Debian's compiler for its source", { skip: whyNotIdentical(machine) }, () => {
      const built = join(root, machine);
      buildLauncher(machine, built);
      assert.ok(readFileSync(built).equals(readFileSync(shipped)), "run npx node packages/tooling/build-launcher.mjs");
    });

    it("may be executed by everyone", () => assert.equal(statSync(shipped).mode & 0o777, 0o755));

    it("runs a job", { skip: machine === "aarch64" && process.arch !== "arm64" && lacks("qemuForArm") }, () => {
      const folder = join(root, `job-${machine}`);
      mkdirSync(folder);
      const fields = [`workdir=${folder}`, "in=/dev/null", `out=${folder}/stdout`, `err=${folder}/stderr`];
      const launch = [...fields, "env=PATH=/usr/bin:/bin", "arg=echo", "arg=hello", "end="];
      writeFileSync(join(folder, "launch"), launch.map((field) => `${field}\0`).join(""));
      const isForeign = machine === "aarch64" && process.arch !== "arm64";
      const { status } = isForeign ? spawnSync("qemu-aarch64-static", [shipped, folder]) : spawnSync(shipped, [folder]);
      assert.equal(status, 0);
      assert.equal(readFileSync(join(folder, "stdout"), "utf8"), "hello\n");
      assert.match(readFileSync(join(folder, "record"), "utf8"), /^pid \d+\n[\s\S]*\nexit 0\n$/);
    });
  });

describe("the parser of launch files", { skip: lacks("gcc") }, () => {
  it("reads no byte past the end of a damaged file, and rejects files with unknown fields", () => {
    const fuzz = buildFuzzer(root);
    for (let seed = 1; seed <= 3; seed += 1) {
      const { status, stdout, stderr } = fuzz(seed, 50_000);
      assert.equal(status, 0, stderr);
      // Some damaged files are still valid; most must not be.
      const [accepted = 0, files = 0] = (stdout.match(/\d+/g) ?? []).map(Number);
      assert.ok(accepted > 0 && accepted < files / 2, stdout);
    }
  });
});
