// Checks that crates of all kinds of runs satisfy their profiles, and that cwltool can run each unpacked crate.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { printedVersion, testChecks } from "../run-tests.mjs";

export const name = "cwltool (crates)";
export const about =
  "crates satisfy the profiles, and cwltool runs those of complete runs again with equal checksums: nested cross products, loops, folders, secondary files, single tools, secrets, failed and aborted runs, runs at Slurm and TES, imported and foreign runs";

export function version() {
  return printedVersion(spawnSync("cwltool", ["--version"], { encoding: "utf8" }));
}

const TEST = join(import.meta.dirname, "../../../engine/test/crate/rerun-crates.full.test.ts");

/** Each test is one kind of run. */
export function checks() {
  return testChecks(TEST, { prefix: "crate " });
}
