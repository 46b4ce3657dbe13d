import assert from "node:assert/strict";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller, endedRun, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, TEST_CATALOG } from "./test-catalog.ts";
import { columns } from "../src/testing/columns.ts";

const root = temporaryFolder(TEST_CATALOG);

/** Without an executor of its own, a server knows no job of an earlier one. */
const open = (retryDelaysMs: readonly number[], executor = catalogExecutor()) =>
  openTestEngine(root, { executor, retryDelaysMs });

it("a job that waits for its next attempt also waits in the next server, which repeats no attempt", async () => {
  const first = await open([600_000]);
  const body = { tool: "act", inputs: { how: "3" }, options: { retries: 1 } };
  const runId = await startRun(first, body);
  const waits = ({ runs }: Engine) => runs.jobs(caller, runId, {}).jobs[0]?.attempt === 2;
  await untilRun(first, runId, () => waits(first));
  await first.stop("detach");

  const second = await open([600_000]);
  const waiting = second.runs.jobs(caller, runId, {}).jobs[0];
  assert.deepEqual([waiting?.state, waiting?.attempt, waiting?.state_reason?.code], ["QUEUED", 2, "WAITING"]);
  await second.stop("detach");

  const third = await open([0]);
  const run = await endedRun(third, runId);
  assert.equal(run.state, "EXECUTOR_ERROR");
  const { attempts } = third.runs.job(caller, runId, waiting?.job_id ?? "");
  assert.deepEqual(columns(attempts, "attempt", "exit_code"), [
    [1, 3],
    [2, 3],
  ]);
  await third.stop("cancel");
});

it("a job that waits for its next attempt keeps its last result if another failure ends the run", async () => {
  const waiting = Promise.withResolvers<void>();
  const engine = await open([600_000], catalogExecutor({ "end-later": () => waiting.promise }));
  // The first fails for a while, the other for good: it is not tried again because its input is wrong.
  const options = { retries: 1, on_failure: "finish_running" } as const;
  const runId = await startRun(engine, { network: "wait-and-fail", inputs: {}, options });
  await untilRun(engine, runId, () => engine.runs.jobs(caller, runId, {}).jobs.some(({ attempt }) => attempt === 2));
  waiting.resolve();
  const run = await endedRun(engine, runId);
  assert.deepEqual([run.state, run.job_counts], ["EXECUTOR_ERROR", { EXECUTOR_ERROR: 2 }]);
  const job = engine.runs.jobs(caller, run.run_id, {}).jobs.find(({ step }) => step === "waits");
  assert.deepEqual([job?.state, job?.exit_code, job?.state_reason?.code], ["EXECUTOR_ERROR", 3, "TOOL_EXIT"]);
  assert.equal(engine.runs.job(caller, run.run_id, job?.job_id ?? "").attempts.length, 1);
  await engine.stop("cancel");
});

const LOST: readonly (readonly [string, { retries?: number }, number])[] = [
  ["is retried twice by default", {}, 3],
  ["is retried as often as the run allows", { retries: 1 }, 2],
  ["is not retried if the run allows no retries", { retries: 0 }, 1],
];
for (const [name, options, tries] of LOST) {
  it(`a job that was lost with its server ${name}`, async () => {
    let engine = await open([0]);
    const runId = await startRun(engine, { tool: "act", inputs: { how: "hang" }, options });
    for (let attempt = 1; attempt <= tries; attempt++) {
      const attemptNow = () => engine.runs.jobs(caller, runId, {}).jobs[0]?.attempt;
      await untilRun(engine, runId, ({ job_counts: { RUNNING } }) => RUNNING === 1 && attemptNow() === attempt);
      await engine.stop("detach");
      engine = await open([0]);
    }
    const run = await endedRun(engine, runId);
    assert.deepEqual([run.state, run.state_reason?.code], ["SYSTEM_ERROR", "BACKEND_LOST"]);
    const { attempts } = engine.runs.job(caller, runId, run.state_reason?.job_id ?? "");
    assert.equal(attempts.length, tries);
    await engine.stop("cancel");
  });
}
