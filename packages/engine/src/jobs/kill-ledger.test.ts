import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KilledJob, KillReport } from "../executor/executor.ts";
import { KillLedger } from "./kill-ledger.ts";

const job = (more: Partial<KilledJob>): KilledJob => ({
  ...{ jobId: "a", attempt: 1, signals: ["SIGTERM"], found: 2, killed: 0, confirmedMs: 50 },
  ...more,
});
const report = (jobs: readonly KilledJob[], more: Partial<KillReport> = {}): KillReport => ({
  ...{ proven: true, evidence: ["scans"], left: [], jobs },
  ...more,
});

describe("KillLedger", () => {
  it("adds up the findings of several attempts, for each job and in total", () => {
    const ledger = new KillLedger(10);
    const nameless = job({ jobId: "", attempt: 0, found: 1, killed: 1 });
    ledger.add(report([job({}), nameless], { evidence: ["scans", "cgroup"] }), 60);
    ledger.add(report([job({ signals: ["SIGKILL"], found: 1, killed: 1, confirmedMs: 80 })]), 90);
    const record = { asked_ms: 10, evidence: ["scans", "cgroup"] };
    const signals = ["SIGTERM", "SIGKILL"];
    const ofJob = { ...record, signals, processes_found: 3, processes_killed: 1, confirmed_ms: 80 };
    assert.deepEqual(ledger.of({ jobId: "a", attempt: 1 }), ofJob);
    assert.deepEqual(ledger.total, { ...ofJob, processes_found: 4, processes_killed: 2, confirmed_ms: 90 });
    assert.deepEqual(
      ledger.named.map(({ jobId, attempt }) => [jobId, attempt]),
      [["a", 1]],
    );
  });

  it("infers that no process of a job is left if none of the run is", () => {
    const ledger = new KillLedger(10);
    ledger.add(report([]), 20);
    assert.deepEqual(ledger.of({ jobId: "b", attempt: 2 }), {
      ...{ asked_ms: 10, signals: [], processes_found: 0, processes_killed: 0, confirmed_ms: 20, evidence: ["scans"] },
    });
  });

  it("confirms nothing after an attempt without proof", () => {
    const ledger = new KillLedger(10);
    ledger.add(report([], { evidence: ["scans", "containers"] }), 20);
    ledger.add(report([job({ confirmedMs: null })], { proven: false, evidence: ["cgroup"] }), 30);
    const { confirmed_ms, evidence } = ledger.total;
    assert.deepEqual([confirmed_ms, evidence], [null, ["scans", "containers"]]);
  });
});
