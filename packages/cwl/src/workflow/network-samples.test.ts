import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ScriptedExecutor } from "./testing/drive-network.ts";
import { ADD, drive, ECHO, output, tool } from "./testing/small-workflows.ts";

describe("samples", () => {
  const NESTED = `  s:\n    scatter: x\n    in: {x: a, n: n}\n    out: [o]\n    run:\n      class: Workflow\n      requirements: [{class: ScatterFeatureRequirement}]\n      inputs: {x: Any, n: "int[]"}\n      outputs: {o: {type: Any, outputSource: one/o}}\n      steps:\n        one: {run: ${ECHO}, in: {x: x}, out: [o]}\n        each: {run: ${ECHO}, scatter: x, in: {x: n}, out: [o]}\n  t: {run: ${tool("x: Any", "string", "'constant'")}, scatter: x, in: {x: s/o}, out: [o]}\n  u: {run: ${tool("x: Any", "string", "'constant'")}, scatter: x, in: {x: t/o}, out: [o]}`;
  const images = ["sub-01", "sub-02"].map((name) => ({ name, image: 1 }));

  test("nested calls inherit them and later scatters carry them on", async () => {
    const { calls } = await drive(["a: Any, n: 'int[]'", "  []", NESTED], { a: images, n: [1, 2] });
    const samples = Object.fromEntries(calls.map(({ id, sampleId }) => [id, sampleId]));
    assert.deepEqual(samples, {
      "s[0]/one": "sub-01",
      "s[1]/one": "sub-02",
      "s[0]/each[0]": "sub-01",
      "s[0]/each[1]": "sub-01",
      "s[1]/each[0]": "sub-02",
      "s[1]/each[1]": "sub-02",
      "t[0]": "sub-01",
      "t[1]": "sub-02",
      "u[0]": "sub-01",
      "u[1]": "sub-02",
    });
    assert.deepEqual(calls.find(({ id }) => id === "s[1]/each[0]")?.scatterIndex, [1, 0]);
  });

  test("names from the request take precedence", async () => {
    const { calls } = await drive(
      ["a: Any, n: 'int[]'", "  []", NESTED],
      { a: images, n: [] },
      { sampleNames: new Map([["a", ["x", "y"]]]) },
    );
    assert.equal(calls.map(({ sampleId }) => sampleId).join(" "), "x y x y x y");
  });
});

describe("sizes of steps", () => {
  const NESTED = `  first: {run: ${tool("x: int", "int[]", "[1, 2, 3]")}, in: {x: a}, out: [o]}\n  s: {scatter: x, in: {x: first/o}, out: [], when: $(inputs.x > 1), run: {class: Workflow, requirements: [{class: ScatterFeatureRequirement}], inputs: {x: int}, outputs: [], steps: {i: {run: ${tool("x: int", "int[]", "[1, 2]")}, in: {x: x}, out: [o]}, j: {run: ${ECHO}, scatter: x, in: {x: i/o}, out: [o]}}}}`;

  test("become final as soon as no more jobs can be added", async () => {
    const steps: string[] = [];
    const { progress } = await drive(
      ["a: int", "  []", NESTED],
      { a: 1 },
      {
        execute: ({ id }) => {
          steps.push(id);
          return undefined;
        },
      },
    );
    assert.deepEqual(steps, ["first", "s[1]/i", "s[2]/i", "s[1]/j[0]", "s[1]/j[1]", "s[2]/j[0]", "s[2]/j[1]"]);
    assert.deepEqual(Object.fromEntries(progress.stepSizes()), {
      first: { jobs: 1, skipped: 0, isFinal: true },
      s: { jobs: 3, skipped: 1, isFinal: true },
      "s/i": { jobs: 2, skipped: 0, isFinal: true },
      "s/j": { jobs: 4, skipped: 0, isFinal: true },
    });
  });

  test("are not final earlier", async () => {
    const finals: string[] = [];
    const execute: ScriptedExecutor = ({ id }, progress) => {
      const final = [...progress.stepSizes()].filter(([, { isFinal }]) => isFinal).map(([path]) => path);
      finals.push(`${id}: ${final.join(" ")}`);
      return id === "s[1]/i" ? { status: "failed" } : undefined;
    };
    await drive(["a: int", "  []", NESTED], { a: 1 }, { execute });
    assert.deepEqual(finals, [
      "first: first",
      "s[1]/i: first s s/i",
      "s[2]/i: first s s/i",
      "s[2]/j[0]: first s s/i s/j",
      "s[2]/j[1]: first s s/i s/j",
    ]);
  });
});

test("a completion costs the same in a scatter of any size", async () => {
  const many = (length: number) => Array.from({ length }, (_, index) => index);
  const parts: readonly [string, string, string] = [
    "a: 'int[]'",
    output("int[]", "outputSource: t/o"),
    `  s: {run: ${ADD}, scatter: x, in: {x: a}, out: [o]}\n  t: {run: ${ADD}, scatter: x, in: {x: s/o}, out: [o]}`,
  ];
  const execute: ScriptedExecutor = ({ inputs }) => ({ status: "success", outputs: { o: inputs["x"] ?? null } });
  const timed = async (length: number) => {
    const start = process.threadCpuUsage();
    const { ended } = await drive(parts, { a: many(length) }, { execute });
    assert.equal(ended?.status, "success");
    return process.threadCpuUsage(start).user / 1000;
  };
  await timed(300);
  const small = await timed(300);
  const large = await timed(3000);
  // Quadratic growth would be a hundred times as long.
  assert.ok(large < 40 * Math.max(small, 5), `300: ${small} ms, 3,000: ${large} ms`);
});
