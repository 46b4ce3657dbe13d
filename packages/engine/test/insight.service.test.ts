import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../src/port/caller.ts";
import { caller, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { until } from "../src/testing/until.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { column } from "../src/testing/columns.ts";

/** Takes as many seconds as it is given. */
const nap: Program = ({ args: [seconds = ""] }) =>
  seconds === "hang" ? new Promise(() => {}) : pause(Number(seconds) * 1000);

const NAP = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: nap
requirements: {ResourceRequirement: {coresMin: 1, ramMin: 64}}
inputs: {script: {type: string, inputBinding: {position: 1}}, after: {type: Any?}}
stdout: said.txt
outputs: {said: stdout}
`;
const NAPS = `cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}, MultipleInputFeatureRequirement: {}}
inputs: {scripts: "string[]", last: string}
steps:
  nap: {run: ../../tools/nap/1.0.0/nap.cwl, scatter: script, in: {script: scripts}, out: [said]}
  end: {run: ../../tools/nap/1.0.0/nap.cwl, in: {script: last, after: nap/said}, out: [said]}
outputs: {said: {type: File, outputSource: end/said}}
`;

const { engine } = await serveFiles(
  { "catalog/tools/nap/1.0.0/nap.cwl": NAP, "catalog/networks/naps/naps.cwl": NAPS },
  { programs: { nap } },
);

const cache = "off" as const;
const naps = (scripts: readonly string[], last = "0", owner = caller) =>
  startRun(engine, { network: "naps", inputs: { scripts, last }, options: { cache } }, owner);
const begun = (runId: string) => untilRun(engine, runId, ({ job_counts: { RUNNING = 0 } }) => RUNNING > 0);
const abort = (runId: string) => engine.runs.abort(caller, runId, 30_000);
const forecastOf = (runId: string, by = caller) =>
  ask(engine, "GET /api/runs/{run_id}/forecast", { caller: by, params: { run_id: runId } });
const sizingOf = (id: string, version = "1.0.0", by = caller) =>
  ask(engine, "GET /api/tools/{id}/{version}/sizing", { caller: by, params: { id, version } });

describe("the time left of a run", () => {
  it("is unknown without finished jobs, with a reason", async () => {
    const runId = await naps(["hang"]);
    await begun(runId);
    const { left, unknown, runs_before: before } = await forecastOf(runId);
    assert.deepEqual([left, unknown, before], [null, "No job of step nap has finished yet, in any run.", 0]);
    await abort(runId);
  });

  it("comes from earlier runs, with its uncertainty, by step", async () => {
    await runToEnd(engine, {
      network: "naps",
      // Jobs that outlast all earlier ones would count instead of them: one takes longer than the next run.
      inputs: { scripts: ["0.04", "0.05", "3"], last: "0.03" },
      options: { cache },
    });
    const runId = await naps(Array<string>(40).fill("hang"));
    await begun(runId);
    const forecast = await forecastOf(runId);
    assert.ok(forecast.runs_before > 0);
    const { left } = forecast;
    assert.ok(left !== null && left.low_ms < left.expected_ms && left.expected_ms < left.high_ms);
    const [nap, end] = forecast.steps;
    assert.deepEqual([nap?.step, nap?.jobs_left, nap?.jobs_of_run, nap?.jobs_before], ["nap", 40, 0, 3]);
    assert.deepEqual([end?.step, end?.jobs_left], ["end", 1]);
    assert.ok(end?.job !== null && end !== undefined && end.job.expected_ms >= 25);
    // Both steps wait for each other, so that the run takes as long as both.
    assert.ok(left.expected_ms >= (nap?.left?.expected_ms ?? 0) + (end.left?.expected_ms ?? 0) - 1);
    await abort(runId);
    const ended = await forecastOf(runId);
    assert.deepEqual([ended.left, ended.unknown, ended.steps], [null, null, []]);
  });

  it("is unknown while other runs take all cores, also by step", async () => {
    const first = await naps(Array<string>(200).fill("hang"));
    await begun(first);
    const inputs = { scripts: ["0.04", "0.05"], last: "0" };
    const waiting = await startRun(engine, { network: "naps", inputs, options: { cache, priority: -1 } });
    const whyFirst = () =>
      engine.runs.jobs(caller, waiting, { state: ["QUEUED"] }).jobs[0]?.state_reason?.message ?? "";
    await until(() => whyFirst().includes("with a higher priority"));
    const forecast = await forecastOf(waiting);
    assert.deepEqual([forecast.left, forecast.unknown], [null, "Its jobs wait for jobs of other runs."]);
    assert.deepEqual([...new Set(forecast.steps.map(({ left }) => left))], [null]);
    assert.ok(!column(forecast.steps, "job").includes(null), "the time of one job is known");
    await Promise.all([first, waiting].map(abort));
  });

  it("hides runs that the caller cannot see", async () => {
    const eve: Caller = { ...caller, principal: "eve", othersRuns: "hidden" };
    const runId = await naps(["hang"], "0", eve);
    await begun(runId);
    const forecast = await forecastOf(runId, eve);
    assert.deepEqual([forecast.runs_before, forecast.left], [0, null]);
    assert.equal((await sizingOf("nap", "1.0.0", eve)).jobs, 0);
    await abort(runId);
  });
});

describe("right-sizing", () => {
  it("compares requested with used resources, for a tool and for the steps of a run", async () => {
    const { run_id: runId } = await runToEnd(engine, {
      network: "naps",
      inputs: { scripts: Array<string>(6).fill("0.02"), last: "0" },
      options: { cache },
    });
    const tool = await sizingOf("nap");
    assert.ok(tool.jobs >= 7 && tool.runs >= 1);
    assert.deepEqual(tool.requested, { cores: 1, ram_bytes: 64 * 1024 * 1024 });
    assert.ok((tool.used.time_ms?.p50 ?? 0) > 0);
    const { steps } = await ask(engine, "GET /api/runs/{run_id}/sizing", { caller, params: { run_id: runId } });
    assert.deepEqual(
      steps.map(({ step, tool: own }) => [step, own?.id]),
      [
        ["nap", "nap"],
        ["end", "nap"],
      ],
    );
    assert.equal(steps[1]?.sizing.suggestion, null, "too few jobs");
  });

  it("ignores reused results, and refuses an unknown tool", async () => {
    const again = () => runToEnd(engine, { tool: "nap", inputs: { script: "0.001" }, options: { cache: "use" } });
    await again();
    const before = await sizingOf("nap");
    assert.equal((await again()).progress.jobs_cached, 1);
    assert.equal((await sizingOf("nap")).jobs, before.jobs);
    await assert.rejects(sizingOf("none"), { code: "tool-not-found" });
    await assert.rejects(sizingOf("nap", "9.9.9"), { code: "version-not-found" });
  });
});
