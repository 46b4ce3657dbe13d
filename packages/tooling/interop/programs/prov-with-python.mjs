// Reads and merges PROV-JSON of all kinds of runs with the Python package prov.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { printedVersion, testChecks } from "../run-tests.mjs";

export const name = "python3-prov";
export const about = "the Python package prov reads the PROV-JSON of runs back whole, and merges two of them";

export function version() {
  return printedVersion(spawnSync("python3", ["-c", "import prov; print(prov.__version__)"], { encoding: "utf8" }));
}

const TEST = join(import.meta.dirname, "../../../engine/test/crate/prov-json.full.test.ts");

export function checks() {
  return testChecks(TEST, { prefix: "the PROV-JSON of a run ", wanted: /Python package prov/ });
}
