import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KillReport, KillTarget } from "../executor.ts";
import { RemainingProcesses } from "./remaining-processes.ts";

const NONE: KillReport = { proven: true, evidence: ["scans"], jobs: [], left: [] };
const ONE = { jobId: "j", attempt: 2, signals: [], found: 1, killed: 1, confirmedMs: 1 };

function scene(report: KillReport = { ...NONE, jobs: [ONE] }) {
  const state = { nowMs: 0, isLeft: true, killed: [] as KillTarget[], reports: [] as string[] };
  const remaining = new RemainingProcesses({
    isLeft: (_, group) => group === 7 && state.isLeft,
    kill: async (target) => {
      state.killed.push(target);
      return report;
    },
    ended: ({ jobId }, { jobs }) => state.reports.push(`${jobId} ${jobs.length}`),
    clock: { now: () => state.nowMs, pause: async (ms) => (state.nowMs += ms) },
  });
  remaining.watch({ runId: "r", jobId: "j", attempt: 2 }, 7);
  const lookAt = (nowMs: number) => {
    state.nowMs = nowMs;
    remaining.look();
  };
  return { state, lookAt, remaining };
}

describe("a process that outlives its program", () => {
  it("has time to end, and is ended once", async () => {
    const { state, lookAt } = scene();
    lookAt(4999);
    assert.deepEqual(state.killed, []);
    lookAt(5000);
    lookAt(9000);
    await Promise.resolve();
    assert.deepEqual(state.killed, [{ runId: "r", job: { jobId: "j", attempt: 2 }, graceMs: 0 }]);
    assert.deepEqual(state.reports, ["j 1"]);
  });

  it("is not touched after its end, even if its process id is reused", () => {
    const { state, lookAt } = scene();
    state.isLeft = false;
    lookAt(250);
    state.isLeft = true;
    lookAt(9000);
    assert.deepEqual(state.killed, []);
  });

  it("is awaited and ended before everything is released", async () => {
    const { state, remaining } = scene();
    await remaining.close();
    assert.deepEqual([state.nowMs, state.killed.length, state.reports], [5000, 1, ["j 1"]]);
  });

  it("is not reported if it disappeared at the last moment", async () => {
    const { state, lookAt } = scene(NONE);
    lookAt(6000);
    await Promise.resolve();
    assert.deepEqual([state.killed.length, state.reports], [1, []]);
  });
});
