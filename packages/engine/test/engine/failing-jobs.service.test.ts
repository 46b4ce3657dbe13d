import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import { ask } from "../../src/testing/ask-engine.ts";
import { caller, runToEnd, startRun, untilRun } from "../../src/testing/drive-runs.ts";
import { catalogExecutor, catalogFile, serveCatalog } from "../test-catalog.ts";
import { runsOf } from "../../src/testing/ask-runs.ts";
import { columns } from "../../src/testing/columns.ts";

const executor = catalogExecutor({
  shout() {
    throw new Error("a bug");
  },
});
const { engine } = await serveCatalog({ executor, retryDelaysMs: [1, 5, 600_000] });

const outputsOf = (runId: string) =>
  ask(engine, "GET /api/runs/{run_id}/outputs", { caller, params: { run_id: runId } });
const resultsOf = (runId: string, query: RouteQuery<"GET /api/runs/{run_id}/results"> = {}) =>
  ask(engine, "GET /api/runs/{run_id}/results", { caller, params: { run_id: runId }, query });

describe("a run whose jobs fail", () => {
  it("ends with the reason of the first failure and the job's messages", async () => {
    const options = { on_failure: "finish_running" } as const;
    const run = await runToEnd(engine, { network: "act-all", inputs: { hows: ["3"] }, options });
    assert.deepEqual([run.state, run.outcome, run.state_reason?.code], ["EXECUTOR_ERROR", "failure", "TOOL_EXIT"]);
    assert.match(run.state_reason?.message ?? "", /act-0.*exit code 3/);
    const job = engine.runs.job(caller, run.run_id, run.state_reason?.job_id ?? "");
    assert.deepEqual([job.exit_code, job.stderr_tail], [3, "acting 3"]);
    assert.equal(job.state_reason?.hint, "see the last lines of its standard error");
    assert.equal(run.state_reason?.hint, job.state_reason.hint);
  });

  it("continues with the other samples by default, and publishes their results", async () => {
    const run = await runToEnd(engine, { network: "act-all", inputs: { hows: ["3", "0"] } });
    assert.deepEqual([run.state, run.outcome, run.partial], ["EXECUTOR_ERROR", "partial", true]);
    assert.ok(run.outputs?.["other"]);
    assert.deepEqual(run.job_counts, { EXECUTOR_ERROR: 1, COMPLETE: 2 });
    const { outputs, partial, missing, missing_total } = await outputsOf(run.run_id);
    assert.deepEqual([outputs, partial, missing_total], [run.outputs, true, 1]);
    const [failed] = engine.runs.jobs(caller, run.run_id, { state: ["EXECUTOR_ERROR"] }).jobs;
    const { job_id, state } = failed ?? {};
    assert.deepEqual(missing, [{ output: "logs", step: "act", index: [0], sample_id: "3", job_id, state }]);
    const { rows, columns, total, partial: isPartial } = await resultsOf(run.run_id);
    assert.deepEqual([isPartial, total], [true, 3]);
    assert.deepEqual(columns.map(({ output, by }) => `${output} ${by}`).toSorted(), ["logs sample", "other run"]);
    assert.deepEqual(
      rows.map(({ sample_id, cells: [cell] }) => [sample_id, cell?.value !== null, cell?.missing]),
      [
        [null, true, undefined],
        ["3", false, { step: "act", job_id, state }],
        ["0", true, undefined],
      ],
    );
    const page = await resultsOf(run.run_id, { from: 2, page_size: 1, q: "" });
    assert.deepEqual([page.rows, page.from], [rows.slice(2), 2]);
  });

  it("has only null values if everything failed", async () => {
    const run = await runToEnd(engine, { tool: "act", inputs: { how: "3" } });
    assert.deepEqual([run.outcome, run.outputs, run.partial], ["failure", null, false]);
    const answer = await outputsOf(run.run_id);
    assert.deepEqual([answer.outputs, answer.partial, answer.missing], [null, false, []]);
  });

  it("returns unpublished results of its jobs, and names missing ones", async () => {
    const inputs = { hows: ["0", "hang", "0"] };
    const runId = await startRun(engine, { network: "act-all", inputs, options: { cache: "off" } });
    await untilRun(engine, runId, (run) => run.job_counts.COMPLETE === 3);
    await engine.runs.abort(caller, runId, 20_000);
    const run = engine.runs.get(caller, runId);
    assert.deepEqual([run.state, run.outputs, run.partial], ["CANCELED", null, true]);
    const { outputs, missing } = await outputsOf(runId);
    assert.ok(outputs !== null && Array.isArray(outputs["logs"]));
    assert.deepEqual(
      outputs["logs"].map((log: unknown) => log !== null),
      [true, false, true],
    );
    assert.match(JSON.stringify(outputs["other"]), /\/api\/runs\/.*\/files\/jobs\//);
    assert.deepEqual(columns(missing, "output", "index", "state"), [["logs", [1], "CANCELED"]]);
  });

  it("ends running jobs if it must stop at once", async () => {
    const options = { on_failure: "stop_now", cache: "off" } as const;
    const run = await runToEnd(engine, { network: "act-all", inputs: { hows: ["hang", "3"] }, options });
    assert.equal(run.state, "EXECUTOR_ERROR");
    assert.deepEqual(run.job_counts, { EXECUTOR_ERROR: 1, CANCELED: 2 });
    assert.equal((await executor.cancel({ runId: run.run_id })).jobs.length, 0);
  });

  it("ends with an internal error if the executor itself fails", async () => {
    const run = await runToEnd(engine, { tool: "shout", inputs: { text: catalogFile("one.txt") } });
    assert.deepEqual([run.state, run.state_reason?.code], ["SYSTEM_ERROR", "ENGINE"]);
  });
});

describe("a job that fails", () => {
  const attemptsOf = (runId: string, jobId: string) =>
    engine.runs.job(caller, runId, jobId).attempts.map(({ attempt, exit_code }) => [attempt, exit_code]);

  it("is retried as often as the run allows, each time in a new folder", async () => {
    const run = await runToEnd(engine, { tool: "act", inputs: { how: "3" }, options: { retries: 2 } });
    assert.deepEqual([run.state, run.job_counts], ["EXECUTOR_ERROR", { EXECUTOR_ERROR: 1 }]);
    const [job] = engine.runs.jobs(caller, run.run_id, {}).jobs;
    assert.deepEqual(attemptsOf(run.run_id, job?.job_id ?? ""), [
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    assert.match(engine.runs.job(caller, run.run_id, job?.job_id ?? "").command?.workdir ?? "", /@3/);
  });

  it("returns only the outputs of the successful attempt", async () => {
    const run = await runToEnd(engine, { tool: "third-time", inputs: {}, options: {} });
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    const job = engine.runs.jobs(caller, run.run_id, {}).jobs[0];
    assert.equal(job?.attempt, 3);
    const { files } = await runsOf(engine).findFiles(caller, { run: run.run_id, direction: "output" });
    assert.equal(files.filter(({ job_id }) => job_id === job?.job_id).length, 1);
  });

  it("can be aborted while it waits for the next attempt", async () => {
    const runId = await startRun(engine, { tool: "act", inputs: { how: "3" }, options: { retries: 3 } });
    const job = () => engine.runs.jobs(caller, runId, {}).jobs[0];
    await untilRun(engine, runId, ({ state }) => job()?.attempt === 4 && state === "RUNNING");
    const message = job()?.state_reason?.message ?? "";
    assert.match(message, /^attempt 3 failed \(.*exit code 3\); attempt 4 follows after 600 s$/);
    assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
    assert.deepEqual(engine.runs.get(caller, runId).job_counts, { CANCELED: 1 });
  });
});
