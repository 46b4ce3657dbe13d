import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { writeTestCatalog } from "./test-catalog.ts";

const root = await mkdtemp(join(tmpdir(), "weft-retries-"));
await writeTestCatalog(join(root, "catalog"));
after(() => rm(root, { recursive: true }));

const open = (retryDelaysMs: readonly number[]) => openTestEngine(root, { retryDelaysMs });

it("a job that waits for its next attempt goes on waiting in the next server, and has no attempt twice", async () => {
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
  assert.deepEqual(
    attempts.map(({ attempt, exit_code }) => [attempt, exit_code]),
    [
      [1, 3],
      [2, 3],
    ],
  );
  await third.stop("cancel");
});

it("a job that waits for its next attempt ends as its last one did when another failure ends the run", async () => {
  const engine = await open([600_000]);
  // The first fails for a while, the other for good: it is not tried again because its input is wrong.
  const run = await runToEnd(engine, {
    network: "wait-and-fail",
    inputs: {},
    options: { retries: 1, on_failure: "finish_running" },
  });
  assert.deepEqual([run.state, run.job_counts], ["EXECUTOR_ERROR", { EXECUTOR_ERROR: 2 }]);
  const job = engine.runs.jobs(caller, run.run_id, {}).jobs.find(({ step }) => step === "waits");
  assert.deepEqual([job?.state, job?.exit_code, job?.state_reason?.code], ["EXECUTOR_ERROR", 3, "TOOL_EXIT"]);
  assert.equal(engine.runs.job(caller, run.run_id, job?.job_id ?? "").attempts.length, 1);
  await engine.stop("cancel");
});

/** What is left of a job whose processes, server and wrapper all were killed: a claim of a process that is gone. */
async function loseRunningJob(runId: string, attempt: number): Promise<void> {
  const [job = ""] = await readdir(join(root, "state", "runs", runId, "jobs"));
  const folder = join(root, "state", "runs", runId, "jobs", `${job.split("@")[0]}@${attempt}`);
  const record = join(folder, "record");
  const pid = Number(/^pid (\d+)$/m.exec(await readFile(record, "utf8"))?.[1]);
  process.kill(-pid, "SIGKILL");
  await writeFile(record, (await readFile(record, "utf8")).replace(/^boot .*$/m, "boot of another time"));
}

const lost: [string, { retries?: number }, string, number][] = [
  ["is tried again twice where the run does not say", {}, "SYSTEM_ERROR", 3],
  ["counts as a try of those that the run allows", { retries: 1 }, "SYSTEM_ERROR", 2],
  ["is the last where the run allows no other", { retries: 0 }, "SYSTEM_ERROR", 1],
];
for (const [name, options, state, tries] of lost) {
  it(`a job that was lost with its server ${name}`, async () => {
    let engine = await open([0]);
    const body = { tool: "act", inputs: { how: "hang" }, options };
    const runId = await startRun(engine, body);
    for (let attempt = 1; attempt <= tries; attempt++) {
      const isUp = ({ job_counts: counts }: Run) => counts.RUNNING === 1;
      await untilRun(
        engine,
        runId,
        (run) => isUp(run) && engine.runs.jobs(caller, runId, {}).jobs[0]?.attempt === attempt,
      );
      await engine.stop("detach");
      await loseRunningJob(runId, attempt);
      engine = await open([0]);
    }
    const run = await endedRun(engine, runId);
    assert.deepEqual([run.state, run.state_reason?.code], [state, "BACKEND_LOST"]);
    const { attempts } = engine.runs.job(caller, runId, run.state_reason?.job_id ?? "");
    assert.equal(attempts.length, tries);
    await engine.stop("cancel");
  });
}
