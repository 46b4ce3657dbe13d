import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CwlJsonObject } from "@weft/shared/records/primitives.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { Caller } from "../src/port/caller.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const REPEAT = `cwlVersion: v1.2
class: ExpressionTool
requirements: {InlineJavascriptRequirement: {}}
inputs: {words: "string[]", times: int}
outputs: {out: "string[]"}
expression: >-
  \${ var out = []; for (var n = 0; n < inputs.times; n++) out = out.concat(inputs.words); return {out: out}; }
`;

const WORD = "w".repeat(100);
const stranger: Caller = { ...caller, principal: "eve", othersRuns: "hidden" };
const files = { "catalog/tools/repeat/1.0.0/repeat.cwl": REPEAT };
const { engine } = await serveFiles(files, { jobs: 1, sharesResults: false });

async function run(words: number, times: number): Promise<{ readonly run: Run; readonly inputs: CwlJsonObject }> {
  const inputs = { words: Array.from({ length: words }, () => WORD), times };
  return { run: await runToEnd(engine, { tool: "repeat", inputs }, caller), inputs };
}

async function parsed(text: Promise<{ readonly bytes: Buffer } | undefined>): Promise<unknown> {
  return JSON.parse((await text)?.bytes.toString() ?? "null");
}

describe("the record of a run", () => {
  it("shows small values unchanged", async () => {
    const { run: small, inputs } = await run(1, 2);
    assert.deepEqual([small.inputs, small.outputs, small.omitted], [inputs, { out: [WORD, WORD] }, undefined]);
  });

  it("stays small when the outputs are large, marks them as omitted, and can be completed", async () => {
    const { run: large, inputs } = await run(100, 100);
    assert.ok(JSON.stringify(large).length < 100_000);
    assert.deepEqual([large.state, large.inputs, large.outputs], ["COMPLETE", inputs, null]);
    const { outputs_bytes: bytes = 0, inputs_bytes: none, url } = large.omitted ?? {};
    assert.ok(bytes > 1_000_000, `${bytes}`);
    assert.deepEqual([none, url], [undefined, `http://weft.test/api/runs/${large.run_id}?view=full`]);
    const outputs = { out: Array.from({ length: 10_000 }, () => WORD) };
    const filled = await parsed(engine.runs.filled(caller, large.run_id, large, { outputs: ["outputs"] }));
    assert.deepEqual(filled, { ...large, outputs });
    const { run_id: id } = large;
    const whole = { run_id: id, outputs, partial: false, missing: [], missing_total: 0 };
    assert.deepEqual(await ask(engine, "GET /api/runs/{run_id}/outputs", { caller, params: { run_id: id } }), whole);
    const results = await ask(engine, "GET /api/runs/{run_id}/results", { caller, params: { run_id: id } });
    const value = outputs.out.slice(0, 200);
    assert.deepEqual(results.rows, [{ sample_id: null, index: null, cells: [{ output: "out", value, cut: true }] }]);
  });

  it("stays small when the inputs are large, and can be completed at any path", async () => {
    const { run: large, inputs } = await run(2000, 0);
    assert.ok(JSON.stringify(large).length < 100_000);
    assert.deepEqual([large.inputs, large.outputs], [null, { out: [] }]);
    const filled = await parsed(engine.runs.filled(caller, large.run_id, { a: { b: 1 } }, { inputs: ["a", "b"] }));
    assert.deepEqual(filled, { a: { b: inputs } });
    await assert.rejects(engine.runs.filled(caller, large.run_id, {}, { inputs: ["a"] }), /no place a/);
  });

  it("is completed only for callers who may see the run", async () => {
    const { run: large } = await run(100, 100);
    const missing = { code: "run-not-found" };
    await assert.rejects(engine.runs.filled(stranger, large.run_id, large, { outputs: ["outputs"] }), missing);
    const asked = { caller: stranger, params: { run_id: large.run_id } };
    await assert.rejects(ask(engine, "GET /api/runs/{run_id}/outputs", asked), missing);
    await assert.rejects(ask(engine, "GET /api/runs/{run_id}/results", asked), missing);
  });
});
