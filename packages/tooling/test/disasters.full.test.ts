import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { command } from "./reliability-command.ts";

// One of each kind; reliability.full.test.ts and faults.full.test.ts try all of them.
describe("a server", () => {
  it("that is killed loses and doubles nothing", async () => {
    const { code, printed } = await command("crash", "--kills", "1");
    assert.equal(code, 0, printed);
    assert.match(printed, /1 kills[^]*0 faults/);
  });

  it("whose disk is full ends no run with a lie", async (t) => {
    const { code, printed } = await command("faults", "--rounds", "1", "--every", "40", "full disk");
    assert.equal(code, 0, printed);
    const reason = /skipped: (.*)/.exec(printed)?.[1];
    if (reason !== undefined) t.skip(reason);
    else assert.match(printed, /faults: 0 faults/);
  });
});
