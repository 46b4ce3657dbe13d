import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PINNED } from "./simulate/pinned-seeds.ts";
import { runSeeds, SeedWorker } from "./simulate/run-seeds.ts";

const TIMEOUT_MS = 240_000;

describe("simulated worlds", () => {
  it("keep every promise", { timeout: TIMEOUT_MS }, async () => {
    const { seeds, broken } = await runSeeds({ from: 1, count: 60, threads: 1 });
    assert.deepEqual(broken, []);
    assert.equal(seeds, 60);
  });

  it("keep the promises that they once broke", { timeout: TIMEOUT_MS }, async () => {
    using worker = new SeedWorker();
    for (const { seed, suppressed, about } of PINNED)
      assert.deepEqual(
        await worker.ask({ from: seed, count: 1, suppressed }),
        { from: seed, count: 1, broken: [] },
        about,
      );
  });
});
