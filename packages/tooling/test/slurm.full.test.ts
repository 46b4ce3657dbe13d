import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { lacks } from "../lacks.ts";

function slurmTests(...args: string[]): Promise<{ readonly code: number | null; readonly printed: string }> {
  const script = fileURLToPath(new URL("../slurm/slurm-tests.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (printed += text.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, printed })));
}

describe("jobs on Slurm", { skip: lacks("slurm") }, () => {
  it("run once each: alone, in shared tasks and next to local jobs, even if the server is killed; an abort leaves none", async () => {
    const { code, printed } = await slurmTests("--short", "scatter", "packed", "mixed", "abort", "server");
    assert.equal(code, 0, printed);
    assert.match(printed, /scatter: [^]*packed: [^]*mixed: [^]*abort: [^]*server: [^]*slurm: 0 faults/);
  });

  it("are not started for an unknown part", async () => {
    const { code, printed } = await slurmTests("luck");
    assert.equal(code, 2, printed);
  });
});
