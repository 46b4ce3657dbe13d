import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { availableParallelism } from "node:os";
import { command } from "./reliability-command.ts";

// Each test has its own server, and waits most of the time.
describe("a fault of the machine", { concurrency: availableParallelism() }, () => {
  const few = ["--rounds", "1", "--every", "40"];
  const faults: readonly (readonly [string, string])[] = [
    ["full disk", "ends no run in a wrong state"],
    ["failing writes", "loses nothing that was reported as durable"],
    ["failing sync", "ends the server, not what it had acknowledged"],
    ["read-only folder", "only delays runs"],
    ["locked database", "only delays runs"],
    ["clock that is set", "changes no duration, no wait and no key"],
    ["killed wrapper", "makes the server retry its job, which then runs only once"],
    ["killed launcher", "does not affect jobs"],
    ["deleted folder", "ends at most one run"],
    ["missing program", "fails its job with the reason"],
    ["missing launcher", "fails jobs with the reason"],
    ["stopped server", "declares no job lost"],
    ["no memory", "fails the job that used it up, with the reason"],
  ];
  for (const [name, promise] of faults) {
    it(`keeps its promise (${name}): ${promise}`, async () => {
      const { code, printed } = await command("faults", ...few, name);
      assert.equal(code, 0, printed);
      assert.match(printed, /faults: 0 faults/);
    });
  }

  it("is refused if it is unknown", async () => {
    const { code, printed } = await command("faults", "bad luck");
    assert.equal(code, 2);
    assert.match(printed, /there is no "bad luck"; there are "full disk"/);
  });
});
