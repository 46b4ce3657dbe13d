import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMemoryFiles } from "../files/testing/memory-files.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import type { DriveOptions } from "./testing/drive-network.ts";
import { SMALL_LIMITS } from "../testing/test-limits.ts";
import { ADD, drive, ECHO, output, tool } from "./testing/small-workflows.ts";

/** Limits so low that the tests reach them with few jobs. */
const LIMITS = { ...SMALL_LIMITS, jobsPerScatter: 1_000, jobsPerRun: 2_000, valueItems: 10_000 };
const list = (length: number) => Array.from({ length }, (_, at) => at);
const wide = (steps: string, inputs: CwlObject, options?: DriveOptions) =>
  drive(["a: 'Any[]', b: Any", output("Any", "outputSource: s/o"), steps], inputs, { ...options, limits: LIMITS });
const failure = async (steps: string, inputs: CwlObject, options?: DriveOptions) => {
  const { failures, calls, ended } = await wide(steps, inputs, options);
  assert.equal(ended?.status, "failed");
  return { messages: failures.map(({ step, code, message }) => `${step} ${code} ${message}`), calls: calls.length };
};
const INNER = `{class: Workflow, requirements: [{class: ScatterFeatureRequirement}], inputs: {x: Any, l: Any}, outputs: {o: {type: Any, outputSource: in/o}}, steps: {in: {run: ${ECHO}, scatter: x, in: {x: l}, out: [o]}}}`;

test("the total size of loaded inputs of a step is bounded", async () => {
  const files = createMemoryFiles({ "/d/largest": "x".repeat(64 * 1024) });
  const many = Array.from({ length: 8 }, () => ({ class: "File", location: "file:///d/largest" }));
  const steps = (x: string, y: string) => {
    const run = tool('x: "Any?", y: "Any?"', "Any", "1");
    return `  s: {run: ${run}, in: {x: {source: a, loadContents: ${x}}, y: {source: a, loadContents: ${y}}}, out: [o]}`;
  };
  const inputs = { a: many, b: 0 };
  const { messages } = await failure(steps("true", "true"), inputs, { files });
  assert.deepEqual(messages, [
    "s LIMIT_EXCEEDED the size of the contents that `loadContents` loads exceeds the limit of 1,000,000 (loaded-content-bytes)",
  ]);
  assert.deepEqual((await wide(steps("true", "false"), inputs, { files })).failures, []);
});

describe("limits on jobs", () => {
  test("a crossproduct of short lists is counted before any job is created", async () => {
    const steps = `  s: {run: ${ADD}, scatter: [x, y], scatterMethod: flat_crossproduct, in: {x: a, y: a}, out: [o]}`;
    const { messages, calls } = await failure(steps, { a: list(100), b: 0 });
    assert.deepEqual(messages, [
      "s LIMIT_EXCEEDED a scatter of 10,000 jobs exceeds the limit of 1,000 (jobs-per-scatter)",
    ]);
    assert.equal(calls, 0);
  });

  test("a nested crossproduct without jobs is counted by its lists", async () => {
    const steps = `  s: {run: ${ADD}, scatter: [x, y, z], scatterMethod: nested_crossproduct, in: {x: a, y: a, z: b}, out: [o]}`;
    const { messages } = await failure(steps, { a: list(100), b: [] });
    assert.match(messages[0] ?? "", /a scatter of 10,000 jobs/);
  });

  test("a list that a step makes is counted too", async () => {
    const make = `{class: ExpressionTool, requirements: [{class: InlineJavascriptRequirement}], inputs: {n: Any}, outputs: {o: Any}, expression: "\${return {o: Array.from({length: 1001}, () => 1)}}"}`;
    const steps = `  make: {run: ${make}, in: {n: b}, out: [o]}\n  s: {run: ${ECHO}, scatter: x, in: {x: make/o}, out: [o]}`;
    const { messages } = await failure(steps, { a: [], b: 1 });
    assert.match(messages[0] ?? "", /^s LIMIT_EXCEEDED a scatter of 1,001 jobs/);
  });

  test("the jobs of scattered workflows count together", async () => {
    const steps = `  s: {run: ${INNER}, scatter: x, in: {x: a, l: b}, out: [o]}`;
    const execute = () => ({ status: "success", outputs: { o: 1 } }) as const;
    const { messages } = await failure(steps, { a: list(3), b: list(800) }, { execute });
    assert.deepEqual(messages, ["s/in LIMIT_EXCEEDED a run of 2,403 jobs exceeds the limit of 2,000 (jobs-per-run)"]);
  });

  test("a loop that never ends is stopped by the limit of the run", async () => {
    const body = `{class: Workflow, inputs: {i: Any}, outputs: {o: {type: Any, outputSource: i}}, steps: []}`;
    const steps = `  s: {run: ${body}, in: {i: b, again: {default: true}}, out: [o], requirements: {"cwltool:Loop": {loopWhen: $(inputs.again), loop: {i: o}}}}`;
    const { messages } = await failure(steps, { a: [], b: 1 });
    assert.deepEqual(messages, ["s LIMIT_EXCEEDED a run of 2,001 jobs exceeds the limit of 2,000 (jobs-per-run)"]);
  });

  test("a list that a link merges with itself is counted before it is merged", async () => {
    const sources = Array.from({ length: 20 }, () => "a").join(", ");
    const steps = `  s: {run: ${ECHO}, in: {x: {source: [${sources}], linkMerge: merge_flattened}}, out: [o]}`;
    const { messages } = await failure(steps, { a: list(900), b: 0 });
    assert.deepEqual(messages, ["s LIMIT_EXCEEDED a merged list of 18,000 exceeds the limit of 10,000 (value-items)"]);
  });

  test("a list that many workflows pass on counts once for each occurrence in the outputs", async () => {
    const pass = `{class: Workflow, inputs: {x: Any, l: Any}, outputs: {o: {type: Any, outputSource: l}}, steps: []}`;
    const steps = `  s: {run: ${pass}, scatter: x, in: {x: a, l: b}, out: [o]}`;
    const { messages } = await failure(steps, { a: list(20), b: list(1_000) });
    assert.deepEqual(messages, [" LIMIT_EXCEEDED the value of a link exceeds the limit of 10,000 (value-items)"]);
  });

  test("lists that are nested in themselves by links are counted too", async () => {
    const twice = `{class: Workflow, requirements: [{class: MultipleInputFeatureRequirement}], inputs: {x: Any, y: Any}, outputs: {o: {type: Any, outputSource: [x, y], linkMerge: merge_nested}}, steps: []}`;
    const names = ["b", ...list(30).map((at) => `s${at}/o`)];
    const chain = list(30).map((at) => `  s${at}: {run: ${twice}, in: {x: ${names[at]}, y: ${names[at]}}, out: [o]}`);
    const { messages } = await failure(`${chain.join("\n")}\n  s: {run: ${ECHO}, in: {x: s29/o}, out: [o]}`, {
      a: [],
      b: 1,
    });
    assert.match(messages[0] ?? "", /LIMIT_EXCEEDED the value of a link exceeds the limit of 10,000/);
  });
});
