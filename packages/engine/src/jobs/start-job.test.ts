import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NOTHING_MEASURED } from "../executor/executor.ts";
import type { Machine, JobExit, KilledJob, RunningJob } from "../executor/executor.ts";
import type { JobServices } from "./job-services.ts";
import { waitForExit } from "./start-job.ts";

const JOB = { runId: "r", jobId: "a", attempt: 1 };
const EXITED: JobExit = { kind: "exited", exitCode: 0, used: NOTHING_MEASURED };
const FOUND: KilledJob = { jobId: "a", attempt: 1, signals: ["SIGTERM"], found: 1, killed: 0, confirmedMs: 5 };

/** The exit becomes known only after the kill, which finds these. */
async function timeLimitAfter(exit: JobExit, jobs: readonly KilledJob[]) {
  const known = Promise.withResolvers<JobExit>();
  const kill: Machine["cancel"] = async () => {
    known.resolve(exit);
    return { proven: true, evidence: ["tes"], jobs, left: [] };
  };
  const executor = { cancel: kill } as Machine; // the test calls nothing else
  const running: RunningJob = { started: Promise.resolve("t1"), exit: known.promise };
  const services = { executor, graceMs: 0, log: () => {} } as Partial<JobServices> as JobServices; // see above
  return (await waitForExit(JOB, running, { seconds: 0.001, services })).timeLimit;
}

describe("a job whose time limit has passed", () => {
  it("exceeded its limit if a process had to be ended", async () => {
    assert.equal((await timeLimitAfter(EXITED, [FOUND]))?.seconds, 0.001);
  });

  it("exceeded its limit if it left no exit code", async () => {
    assert.equal((await timeLimitAfter({ kind: "lost" }, []))?.seconds, 0.001);
  });

  it("kept its limit if it had ended before the kill", async () => {
    assert.equal(await timeLimitAfter(EXITED, []), undefined);
  });
});
