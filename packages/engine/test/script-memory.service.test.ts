import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { QuickJsEngine } from "../src/script/quickjs-engine.ts";

describe("scripts that exceed their memory limit", () => {
  it("fail, and scripts below the limit succeed", async (t) => {
    const sandbox = new QuickJsEngine(undefined, 32 << 20);
    t.after(() => sandbox.close());
    const ask = (mib: number) =>
      sandbox.run({ form: "expression", code: `new Uint8Array(${mib} << 20).length`, library: [], variables: {} });
    assert.equal(await ask(20), 20 << 20);
    await assert.rejects(ask(40), { message: /needs more than 32 MiB of memory/ });
  });
});
