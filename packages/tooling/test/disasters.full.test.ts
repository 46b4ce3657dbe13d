import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { command } from "./reliability-command.ts";

// One test of each kind; reliability.full.test.ts and faults.full.test.ts contain all of them.
describe("a server", () => {
  it("loses and duplicates nothing when it is killed", async () => {
    const { code, printed } = await command("crash", "--kills", "1");
    assert.equal(code, 0, printed);
    assert.match(printed, /1 kills[^]*0 faults/);
  });

  it("ends no run with a wrong result on a full disk", async (t) => {
    const { code, printed } = await command("faults", "--rounds", "1", "--every", "40", "full disk");
    assert.equal(code, 0, printed);
    const reason = /skipped: (.*)/.exec(printed)?.[1];
    if (reason !== undefined) t.skip(reason);
    else assert.match(printed, /faults: 0 faults/);
  });
});
