import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { oneAtATime } from "./one-at-a-time.ts";

describe("oneAtATime", () => {
  it("lets calls during a run share the next one, which begins after it", async () => {
    const runs: PromiseWithResolvers<void>[] = [];
    const call = oneAtATime(() => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    });
    const first = call();
    await setImmediate();
    const later = [call(), call()];
    await setImmediate();
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await first;
    await setImmediate();
    assert.equal(runs.length, 2);
    runs[1]?.resolve();
    await Promise.all(later);
    assert.equal(runs.length, 2);
  });

  it("runs again after a failure, which only its own callers see", async () => {
    const failures = [new Error("first"), undefined];
    const call = oneAtATime(async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    });
    await assert.rejects(call(), /first/);
    await call();
    assert.deepEqual(failures, []);
  });
});
