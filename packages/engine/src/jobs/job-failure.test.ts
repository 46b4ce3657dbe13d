import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import { NOTHING_MEASURED, type JobEvidence, type JobExit } from "../executor/executor.ts";
import { exitFailure, withStderrHint, type JobMemory } from "./job-failure.ts";

const MIB = 1024 * 1024;
// Only the fields that the test needs.
const tool = { successCodes: [0, 3], temporaryFailCodes: [], permanentFailCodes: [] } as unknown as CommandLineTool;
const FREE: JobMemory = { requestedBytes: 256 * MIB, limitBytes: undefined, inContainer: false };
const BOUND: JobMemory = { ...FREE, limitBytes: 512 * MIB };

function exited(exitCode: number, oom?: JobEvidence["oom"], maxRssBytes: number | null = null): JobExit {
  const evidence = { used: { ...NOTHING_MEASURED, maxRssBytes }, ...(oom === undefined ? {} : { oom }) };
  return { kind: "exited", exitCode, ...evidence };
}

describe("exitFailure", () => {
  it("is undefined if the tool lists its exit code as a success", () => {
    for (const code of [0, 3]) assert.equal(exitFailure(tool, exited(code), FREE), undefined);
  });

  it("is the backend's report that memory ran out, even if the program succeeded", () => {
    const cause = { code: "OUT_OF_MEMORY", message: "a worker was ended", hint: "raise ramMin" } as const;
    const failure = exitFailure(tool, { ...exited(0), cause } as JobExit, FREE);
    assert.deepEqual([failure?.state, failure?.reason], ["EXECUTOR_ERROR", cause]);
  });

  const machine = { source: "machine", kills: 1 } as const;
  const cgroup = { source: "cgroup", kills: 2 } as const;
  const killed = exited(137);
  const bound = { ...BOUND, inContainer: true };
  const outOfMemory = exited(137, machine, 200 * MIB);
  const cases: Readonly<Record<string, readonly [JobExit, JobMemory, string, RegExp, RegExp]>> = {
    "an exit code of the tool": [exited(4), FREE, "TOOL_EXIT", /exit code 4$/, /^undefined$/],
    "signal 9 without evidence": [killed, FREE, "TOOL_EXIT", /signal 9 killed it$/, /kernel reported no such kill/],
    "signal 9 without evidence under a limit": [
      ...([killed, bound, "TOOL_EXIT", /signal 9 killed it$/] as const),
      /the job's container could use up to 512 MiB/,
    ],
    "signal 9 while the machine ran out of memory": [
      ...([outOfMemory, FREE, "OUT_OF_MEMORY"] as const),
      /kernel killed a process on this machine.*requested 256 MiB, and was seen using at least 200 MiB/,
      /raise ramMin in the tool, or let the run retry/,
    ],
    "another code while the machine ran out of memory, which proves nothing": [
      ...([exited(1, machine), FREE, "TOOL_EXIT", /exit code 1$/] as const),
      /kernel killed a process on this machine.*perhaps/,
    ],
    "any code when the kernel counted it in the job's group": [
      ...([exited(1, cgroup), BOUND, "OUT_OF_MEMORY"] as const),
      /kernel killed 2 processes of the job.*could use up to 512 MiB/,
      /ramMin and ramMax/,
    ],
    "no record": [{ kind: "lost" }, FREE, "BACKEND_LOST", /without recording/, /run again/],
    "no start": [{ kind: "rejected", message: "no bash" }, FREE, "SUBMIT_REJECTED", /no bash/, /^undefined$/],
  };
  for (const [name, [exit, memory, code, message, hint]] of Object.entries(cases))
    it(`calls ${name} ${code}`, () => {
      const reason = exitFailure(tool, exit, memory)?.reason;
      assert.equal(reason?.code, code);
      assert.match(reason.message, message);
      assert.match(String(reason.hint), hint);
    });
});

describe("withStderrHint", () => {
  const exit = { code: "TOOL_EXIT", message: "the program ended with exit code 4" } as const;

  it("points to standard error only if the program wrote to it", () => {
    assert.match(withStderrHint(exit, "Traceback").hint ?? "", /^see the last lines of its standard error$/);
    assert.match(withStderrHint(exit, undefined).hint ?? "", /^the program wrote nothing to standard error/);
  });

  it("never refers to a position on a page", () => {
    for (const stderr of ["Traceback", undefined])
      assert.doesNotMatch(withStderrHint(exit, stderr).hint ?? "", /below|above|beside|here/);
  });

  it("does not change better hints and other failures", () => {
    const hinted = { ...exit, hint: "raise ramMax" };
    assert.equal(withStderrHint(hinted, "Traceback"), hinted);
    const lost = { code: "BACKEND_LOST", message: "gone" } as const;
    assert.equal(withStderrHint(lost, undefined), lost);
  });
});
