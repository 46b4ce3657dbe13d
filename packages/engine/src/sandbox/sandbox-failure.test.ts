import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NOTHING_MEASURED } from "../executor/executor.ts";
import type { JobExit } from "../executor/executor.ts";
import { sandboxedExit, withSandboxHint } from "./sandbox-failure.ts";

const exited = (exitCode: number): JobExit => ({ kind: "exited", exitCode, used: NOTHING_MEASURED });
const OWN = "bwrap: Can't mkdir /x: No space left on device\n";

describe("the end of a job in a sandbox", () => {
  const cases: readonly (readonly [string, JobExit, string | undefined, boolean])[] = [
    ["is not an end of the tool if the sandbox could not be created", exited(1), OWN, true],
    ["is the tool's with another code", exited(2), OWN, false],
    ["is the tool's where it said something else", exited(1), "grep: nothing\n", false],
    ["is the tool's where more than that was said", exited(1), `begun\n${OWN}`, false],
    ["is the tool's where nothing was said", exited(1), undefined, false],
    ["stays unknown where it is", { kind: "lost" }, OWN, false],
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
    ["names the folders that can be written", "touch: /etc/x: Read-only file system", true, /\$TMPDIR/],
    ["names the network where there was none", "curl: (6) Could not resolve host: a.org", false, /NetworkAccess/],
    ["is another where there was a network", "curl: (6) Could not resolve host: a.org", true, /^usual$/],
    ["is another where nothing points to it", "out of ideas", false, /^usual$/],
  ];
  for (const [name, stderr, networkAccess, wanted] of cases)
    it(name, () => assert.match(withSandboxHint(reason, { networkAccess, stderr }).hint ?? "", wanted));

  it("keeps a reason that is not the program's", () =>
    assert.deepEqual(
      withSandboxHint({ ...reason, code: "TIME_LIMIT" }, { networkAccess: false, stderr: "Read-only file system" })
        .hint,
      "usual",
    ));
});
