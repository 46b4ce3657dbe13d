import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PINNED } from "./simulate/pinned-seeds.ts";
import { runSeeds, SeedWorker } from "./simulate/run-seeds.ts";

describe("simulated worlds", () => {
  for (const from of [1, 101, 201])
    it(`keep every promise, the hundred from ${from} on`, async () => {
      const { seeds, broken } = await runSeeds({ from, count: 100, threads: 1 });
      assert.deepEqual(broken, []);
      assert.equal(seeds, 100);
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
