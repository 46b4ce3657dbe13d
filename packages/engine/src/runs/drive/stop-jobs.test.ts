import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { KillLedger } from "../../jobs/kill-ledger.ts";
import type { Machine, KillReport } from "../../executor/executor.ts";
import type { JobServices } from "../../jobs/job-services.ts";
import type { Journal } from "../../journal/journal.ts";
import { stopJobs } from "./stop-jobs.ts";

const PROVEN: KillReport = { proven: true, evidence: ["groups"], jobs: [], left: [] };

test("a released run no longer waits for its jobs to end", { timeout: 5000 }, async () => {
  let looks = 0;
  // Like an executor that is closed during the third search: the job's end never arrives.
  const executor = { cancel: async () => (looks++, PROVEN) } as unknown as Machine; // the test calls nothing else
  const run = {
    runId: "r",
    ledger: new KillLedger(0),
    settled: new Promise<never>(() => {}),
    isPointless: () => looks >= 3,
  };
  await stopJobs(run, servicesOf(executor, leftOver(), "/nonexistent"));
  assert.equal(looks, 4);
});

test("a wrapper that starts after the end of its run finds its attempt claimed", async () => {
  const root = temporaryFolder();
  try {
    const folder = join(root, "r/jobs/a@2");
    mkdirSync(folder, { recursive: true });
    const left = leftOver({ jobId: "a", attempt: 2 }, { jobId: "gone", attempt: 1 });
    const isClaimed: boolean[] = [];
    const kill = async () => (isClaimed.push(existsSync(join(folder, "record"))), PROVEN);
    const executor = { cancel: kill } as unknown as Machine; // the test calls nothing else
    const run = { runId: "r", ledger: new KillLedger(0), settled: Promise.resolve(), isPointless: () => false };
    await stopJobs(run, servicesOf(executor, left, root));
    assert.equal(isClaimed.at(-1), true, "it is claimed before the last look for processes");
  } finally {
    rmSync(root, { recursive: true });
  }
});

function leftOver(...attempts: readonly { readonly jobId: string; readonly attempt: number }[]): Journal {
  return { read: { lastJobNumber: () => attempts.length, lateAttempts: () => attempts } } as unknown as Journal; // nothing else is read
}

function servicesOf(executor: Machine, journal: Journal, runsFolder: string): JobServices {
  const services: Partial<JobServices> = { executor, graceMs: 0, log: () => {}, journal, runsFolder };
  return services as JobServices; // nothing else is used
}
