import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NOTHING_MEASURED, type JobExit } from "../executor/executor.ts";
import { sandboxedExit, withSandboxHint } from "./sandbox-failure.ts";

const exited = (exitCode: number): JobExit => ({ kind: "exited", exitCode, used: NOTHING_MEASURED });
const OWN = "bwrap: Can't mkdir /x: No space left on device\n";

describe("the end of a job in a sandbox", () => {
  const cases: readonly (readonly [string, JobExit, string | undefined, boolean])[] = [
    ["is a rejection if the sandbox could not be created", exited(1), OWN, true],
    ["is the tool's exit if the exit code is not bubblewrap's", exited(2), OWN, false],
    ["is the tool's exit if stderr has no message of bubblewrap", exited(1), "grep: nothing\n", false],
    ["is the tool's exit if stderr has more than the message of bubblewrap", exited(1), `begun\n${OWN}`, false],
    ["is the tool's exit if stderr is missing", exited(1), undefined, false],
    ["remains unknown if the job is lost", { kind: "lost" }, OWN, false],
  ];
  for (const [name, exit, stderr, isRejected] of cases)
    it(name, async () => {
      const seen = await sandboxedExit(exit, async () => stderr);
      assert.deepEqual(seen.kind, isRejected ? "rejected" : exit.kind);
      if (seen.kind === "rejected")
        assert.match(seen.message, /sandbox could not be created .*No space left on device/);
    });
});

describe("the hint of a job that failed in a sandbox", () => {
  const reason = { code: "TOOL_EXIT", message: "m", hint: "usual" } as const;
  const cases: readonly (readonly [string, string, boolean, RegExp])[] = [
    ["names the writable folders", "touch: /etc/x: Read-only file system", true, /\$TMPDIR/],
    ["suggests network access if the job had none", "curl: (6) Could not resolve host: a.org", false, /NetworkAccess/],
    ["does not change if the job had network access", "curl: (6) Could not resolve host: a.org", true, /^usual$/],
    ["does not change if nothing points to the sandbox", "out of ideas", false, /^usual$/],
  ];
  for (const [name, stderr, networkAccess, wanted] of cases)
    it(name, () => assert.match(withSandboxHint(reason, { networkAccess, stderr }).hint ?? "", wanted));

  it("does not change if the program did not cause the failure", () => {
    const limit = { ...reason, code: "TIME_LIMIT" } as const;
    const { hint } = withSandboxHint(limit, { networkAccess: false, stderr: "Read-only file system" });
    assert.equal(hint, "usual");
  });
});
