import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PINNED } from "./simulate/pinned-seeds.ts";
import { runSeeds, SeedWorker } from "./simulate/run-seeds.ts";

describe("simulated worlds", () => {
  it("keep every promise, three hundred of them", async () => {
    const { seeds, broken } = await runSeeds({ from: 1, count: 300, threads: 1 });
    assert.deepEqual(broken, []);
    assert.equal(seeds, 300);
  });

  it("keep the promises that they once broke", async () => {
    using worker = new SeedWorker();
    for (const { seed, suppressed, about } of PINNED)
      assert.deepEqual(
        await worker.ask({ from: seed, count: 1, suppressed }),
        { from: seed, count: 1, broken: [] },
        about,
      );
  });
});
