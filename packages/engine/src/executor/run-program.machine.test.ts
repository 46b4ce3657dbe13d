import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runProgram } from "./run-program.ts";

const node = (script: string) => [process.execPath, ["-e", script]] as const;

describe("runProgram", () => {
  it("returns the exit code and both streams", async () => {
    const end = await runProgram(...node("console.log('out'); console.error('err'); process.exitCode = 3"));
    assert.deepEqual(end, { code: 3, stdout: "out\n", stderr: "err\n" });
  });

  it("passes standard input", async () => {
    const end = await runProgram(...node("process.stdin.pipe(process.stdout)"), { input: Buffer.from("hello") });
    assert.equal(end.stdout, "hello");
  });

  it("returns null as the exit code of a missing program", async () => {
    const { code, stderr } = await runProgram("/nowhere/program", []);
    assert.equal(code, null);
    assert.equal(stderr, "no such file or directory: /nowhere/program");
  });

  it("ends a program on abort", async () => {
    const { code } = await runProgram(...node("setInterval(() => {}, 1000)"), { signal: AbortSignal.abort() });
    assert.equal(code, null);
  });
});
