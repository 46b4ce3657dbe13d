// Builds the launcher (packages/engine/native/weft-exec.c) for each processor, with Debian's compilers:
//
//   npx node packages/tooling/build-launcher.mjs           replaces the programs in packages/engine/native
//
// They are part of the repository, because Weft must start jobs on machines without a compiler. Identical Debian packages
// produce identical bytes; `built-with.json` names their versions, and a test in the full tier compares them.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./install.mjs";

export const NATIVE = join(ROOT, "packages/engine/native");
const SOURCE = "weft-exec.c";
export const WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"];
const FLAGS = [
  ...WARNINGS,
  ...["-Os", "-static", "-s", "-ffunction-sections", "-fdata-sections", "-fstack-protector-strong"],
  ...["-Wl,--gc-sections", "-Wl,--build-id=none"],
];

/** By processor, as `uname -m` names it: the compiler, and the packages whose code becomes part of the program. */
export const TARGETS = {
  x86_64: { compiler: "gcc", packages: ["gcc-12", "libc6-dev"] },
  aarch64: { compiler: "aarch64-linux-gnu-gcc", packages: ["gcc-12-aarch64-linux-gnu", "libc6-dev-arm64-cross"] },
};

/** Builds one program; throws an error with the compiler's message. */
export function buildLauncher(machine, out) {
  // A relative path, so that the location of the checkout does not get into the program.
  const done = spawnSync(TARGETS[machine].compiler, [...FLAGS, "-o", out, SOURCE], { cwd: NATIVE, encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.error?.message ?? done.stderr);
  chmodSync(out, 0o755);
}

/** The versions of the Debian packages on this machine; undefined for a package that is not installed. */
export function versionsOf(machine) {
  return Object.fromEntries(TARGETS[machine].packages.map((name) => [name, versionOf(name)]));
}

function versionOf(name) {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f=${Version}", name], { encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/** The versions with which the programs in the repository were built. */
export function builtWith() {
  return JSON.parse(readFileSync(join(NATIVE, "built-with.json"), "utf8"));
}

if (process.argv[1] === import.meta.filename) {
  for (const machine of Object.keys(TARGETS)) buildLauncher(machine, join(NATIVE, `weft-exec-${machine}`));
  const versions = Object.fromEntries(Object.keys(TARGETS).map((machine) => [machine, versionsOf(machine)]));
  writeFileSync(join(NATIVE, "built-with.json"), `${JSON.stringify(versions, null, 2)}\n`);
}
