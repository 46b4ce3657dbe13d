import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { caller, endedRun, runToEnd, startRun } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { strings, SCATTER_CATALOG } from "../src/testing/scatter-catalog.ts";

const limits = { ...DEFAULT_LIMITS, jobsPerScatter: 1_000, jobsPerRun: 100 };
const { engine } = await serveFiles(SCATTER_CATALOG, { limits });

const k = strings(1_000);
const crossed = { a: k, b: k, c: k };
const TOO_LARGE: readonly (readonly [string, CreateRun, RegExp])[] = [
  ["a flat crossproduct", { network: "flat", inputs: crossed }, /1,000,000,000 jobs exceeds the limit of 1,000/],
  ["a nested crossproduct", { network: "nested", inputs: crossed }, /1,000,000,000 jobs/],
  ["a nested crossproduct without jobs", { network: "nested", inputs: { ...crossed, c: [] } }, /1,000,000 jobs/],
  ["a long list", { network: "each", inputs: { a: strings(1_001) } }, /1,001 jobs/],
  ["the older form of inputs", { network: "flat", source_data: crossed }, /1,000,000,000 jobs/],
  [
    "workflows that scatter in a scatter",
    { network: "deep", inputs: { a: strings(100) } },
    /a run of 10,100 jobs exceeds/,
  ],
];

describe("a scatter whose size the request determines", () => {
  for (const [name, body, message] of TOO_LARGE) {
    const isRefused = (error: unknown) => {
      assert.ok(error instanceof Refusal);
      assert.equal(error.code, "invalid-inputs");
      const [first] = error.errors ?? [];
      assert.equal(first?.code, "limit-exceeded");
      assert.equal(first?.pointer, "/inputs/a");
      assert.match(first?.detail ?? "", message);
      return true;
    };
    it(`is refused as a request: ${name}`, () => assert.rejects(startRun(engine, body), isRefused));
    it(`is refused as a plan: ${name}`, () => assert.rejects(engine.runs.plan(caller, body), isRefused));
  }

  it("is refused if a run is retried with more elements", async () => {
    const { run_id } = await runToEnd(engine, { network: "flat", inputs: { a: ["x"], b: ["y"], c: ["z"] } });
    const request = { body: { inputs: crossed }, idempotencyKey: undefined };
    await assert.rejects(engine.runs.retry(caller, run_id, request), { code: "invalid-inputs" });
  });
});

describe("a scatter whose size a step determines", () => {
  const fails = async (runId: string, message: RegExp) => {
    const run = await endedRun(engine, runId);
    assert.equal(run.state, "EXECUTOR_ERROR");
    assert.equal(run.state_reason?.code, "LIMIT_EXCEEDED");
    assert.match(run.state_reason?.message ?? "", message);
  };

  it("fails the step, and also each retry or reproduction of the run", async () => {
    const body = { network: "made", inputs: { n: 1_000 } };
    const { run_id, state_reason } = await runToEnd(engine, body);
    assert.match(state_reason?.message ?? "", /a scatter of 1,000,000,000 jobs exceeds the limit of 1,000/);
    const retried = await engine.runs.retry(caller, run_id, { body: {}, idempotencyKey: undefined });
    await fails(retried.run.run_id, /1,000,000,000 jobs/);
    const reproduced = await engine.runs.reproduce(caller, run_id, {});
    await fails(reproduced.run_id, /1,000,000,000 jobs/);
  });

  it("fails a plan that computes it", async () => {
    await assert.rejects(engine.runs.plan(caller, { network: "made", inputs: { n: 1_000 } }), (error: unknown) => {
      assert.ok(error instanceof Refusal);
      assert.match(error.message, /Step s cannot start: a scatter of 1,000,000,000 jobs/);
      return true;
    });
  });

  it("fails the run whose nested workflows have too many jobs together", async () => {
    await fails(await startRun(engine, { network: "made-deep", inputs: { n: 12 } }), /a run of 1\d\d jobs exceeds/);
  });

  it("fails a loop that never ends and never calls a tool", async () => {
    await fails(await startRun(engine, { network: "idle", inputs: { again: true } }), /a run of 101 jobs exceeds/);
  });
});
