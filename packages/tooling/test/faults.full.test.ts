import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { availableParallelism } from "node:os";
import { command } from "./reliability-command.ts";

// Each has a server of its own, and waits most of the time.
describe("a fault of the machine", { concurrency: availableParallelism() }, () => {
  const few = ["--rounds", "1", "--every", "40"];
  const tried: readonly (readonly [string, string])[] = [
    ["full disk", "ends no run with a lie"],
    ["failing writes", "takes back nothing that was called durable"],
    ["failing sync", "ends the server, not what it had acknowledged"],
    ["read-only folder", "is waited for"],
    ["locked database", "is waited for"],
    ["clock that is set", "changes no duration, no wait and no key"],
    ["killed wrapper", "lets its job be tried again, alone"],
    ["killed launcher", "is not noticed"],
    ["deleted folder", "ends one run at most"],
    ["missing program", "fails its job with the reason"],
    ["missing launcher", "fails jobs with the reason"],
    ["stopped server", "takes no job for lost"],
    ["no memory", "fails the job that took it, with the reason"],
  ];
  for (const [name, promise] of tried) {
    it(`keeps its promise (${name}): ${promise}`, async () => {
      const { code, printed } = await command("faults", ...few, name);
      assert.equal(code, 0, printed);
      assert.match(printed, /faults: 0 faults/);
    });
  }

  it("is not tried if it does not exist", async () => {
    const { code, printed } = await command("faults", "bad luck");
    assert.equal(code, 2);
    assert.match(printed, /there is no "bad luck"; there are "full disk"/);
  });
});
