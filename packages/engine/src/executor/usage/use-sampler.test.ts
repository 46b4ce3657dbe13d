import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UseSampler } from "./job-usage.ts";

/** Returns the values that the test sets, and records when it was called and for which processes. */
function scripted() {
  const script = { nowMs: 0, bytes: 0, asked: [] as string[] };
  const sampler = new UseSampler({
    now: () => script.nowMs,
    measure: async (roots) => {
      script.asked.push(`${script.nowMs}: ${roots.join(" ")}`);
      return roots.map((root) => [root, { bytes: script.bytes, tasks: 1 }] as const);
    },
  });
  const lookAt = async (nowMs: number, bytes: number) => {
    Object.assign(script, { nowMs, bytes });
    await sampler.look();
  };
  return { script, sampler, lookAt };
}

describe("UseSampler", () => {
  it("keeps the peak use of a job until it is read", async () => {
    const { sampler, lookAt } = scripted();
    sampler.watch(7);
    for (const [nowMs, bytes] of [
      [250, 10],
      [500, 30],
      [1000, 20],
    ] as const)
      await lookAt(nowMs, bytes);
    assert.equal(sampler.take(7), 30);
    assert.equal(sampler.take(7), null);
  });

  it("does not call a job measured that it never saw", async () => {
    const { sampler, lookAt } = scripted();
    sampler.watch(7);
    await lookAt(50, 10);
    sampler.watch(8);
    await lookAt(300, 0);
    assert.deepEqual([sampler.take(7), sampler.take(8)], [null, null]);
  });

  it("samples new jobs soon and older ones every two seconds", async () => {
    const { sampler, script, lookAt } = scripted();
    sampler.watch(7);
    for (let nowMs = 0; nowMs <= 8000; nowMs += 250) await lookAt(nowMs, 1);
    assert.deepEqual(script.asked, ["250: 7", "500: 7", "1000: 7", "2000: 7", "4000: 7", "6000: 7", "8000: 7"]);
  });

  it("takes one sample at a time", async () => {
    const answer = Promise.withResolvers<readonly []>();
    let asked = 0;
    const measure = () => ((asked += 1), answer.promise);
    const sampler = new UseSampler({ now: () => asked * 5000 + 5000, measure });
    sampler.watch(7);
    const first = sampler.look();
    assert.equal(asked, 0);
    sampler.watch(8);
    await sampler.look();
    answer.resolve([]);
    await first;
  });
});
