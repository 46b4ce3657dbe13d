import assert from "node:assert/strict";
import { test } from "node:test";
import { KillLedger } from "../../jobs/kill-ledger.ts";
import type { Executor, KillReport } from "../../executor/executor.ts";
import { stopJobs } from "./stop-jobs.ts";

const PROVEN: KillReport = { proven: true, evidence: ["groups"], jobs: [], left: [] };

test(
  "a run that the server lets go of no longer waits for jobs whose ends nobody reports",
  { timeout: 5000 },
  async () => {
    let looks = 0;
    // Like an executor that is closed during the third look: the job's end never arrives.
    const executor = { kill: async () => (looks++, PROVEN) } as unknown as Executor; // the test calls nothing else
    const run = {
      runId: "r",
      ledger: new KillLedger(0),
      jobs: [new Promise<never>(() => {})],
      isPointless: () => looks >= 3,
    };
    await stopJobs(run, { executor, graceMs: 0, log: () => {} });
    assert.equal(looks, 4);
  },
);
