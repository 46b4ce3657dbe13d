// Crates of all kinds of runs: they satisfy the rules of the profiles, and cwltool runs each again from the unpacked folder.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { run } from "node:test";

export const name = "cwltool (crates)";

export function version() {
  const { status, stdout } = spawnSync("cwltool", ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim().split(" ").at(-1) : undefined;
}

const TEST = join(import.meta.dirname, "../../../engine/test/crate/rerun-crates.test.ts");

const SLURM = {
  what: "crate of a run at Slurm",
  result: "not run",
  note: "needs a Slurm (`npm run test:slurm`)",
};

/** Each test is one kind of run. */
export async function checks() {
  const results = [];
  const stream = run({ files: [TEST], forceExit: true, timeout: 300_000 });
  const add = (result) => (test) => {
    if (test.nesting !== 1) return;
    const { name: what, skip, details } = test;
    const note = details?.error?.cause?.message?.split("\n")[0] ?? skip;
    results.push({ what: `crate ${what}`, result: skip === undefined ? result : "not run", note });
  };
  stream.on("test:pass", add("works"));
  stream.on("test:fail", add("fails"));
  stream.resume();
  await new Promise((resolve) => stream.once("end", resolve));
  return [...results, SLURM];
}
