import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { it } from "node:test";
import { runSeeds } from "./simulate/run-seeds.ts";

it("keeps every promise in ten thousand simulated worlds", async () => {
  const { seeds, broken } = await runSeeds({ from: 1, count: 10_000, threads: availableParallelism() });
  assert.deepEqual(broken, []);
  assert.equal(seeds, 10_000);
});
