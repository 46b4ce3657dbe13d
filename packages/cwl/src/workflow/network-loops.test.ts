import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadWorkflow } from "../command/testing/load-process.ts";
import { createProgress } from "./testing/drive-network.ts";
import { drive, failing, output, tool } from "./testing/small-workflows.ts";

/** Counts up, and returns its initial value. */
const COUNT = `{class: ExpressionTool, inputs: {i: int, k: {type: int, default: 1}}, outputs: {o: int, p: int, n: int?}, expression: '\${return {o: inputs.i + inputs.k, p: inputs.i, n: null}}'}`;

/** A step `s` that loops; `loop` is the requirement without its brackets. */
const looped = (loop: string, { run = COUNT, links = "i: a", type = "Any?", from = "o" } = {}) =>
  [
    "a: int",
    output(type, `outputSource: s/${from}`),
    `  s: {run: ${run}, in: {${links}}, out: [o, p, n], requirements: {"cwltool:Loop": {${loop}}}}`,
  ] as const;

const nested = (steps: string, outputs: string) =>
  `{class: Workflow, inputs: {i: int}, outputs: {${outputs}}, steps: {${steps}}}`;
const ONCE_MORE = nested(
  `c: {run: ${COUNT}, in: {i: i}, out: [o, p]}, d: {run: ${COUNT}, scatter: k, in: {i: i, k: {default: [10, 20]}}, out: [o]}`,
  "o: {type: int, outputSource: c/o}, p: {type: Any, outputSource: d/o}, n: {type: int?, outputSource: i}",
);
/** Three inner iterations in each outer one. */
const LOOP_IN_LOOP = nested(
  `c: {run: ${COUNT}, in: {i: i, k: {default: 1}, n: {default: 0}}, out: [o, p, n], requirements: {"cwltool:Loop": {loopWhen: $(inputs.n < 3), loop: {i: o, n: {valueFrom: $(inputs.n + 1)}}}}}`,
  "o: {type: int?, outputSource: c/o}, p: {type: int?, outputSource: c/p}, n: {type: int?, outputSource: i}",
);

describe("outputs of looped steps", () => {
  const cases: Readonly<
    Record<string, readonly [parts: readonly [string, string, string], expected: unknown, calls: string]>
  > = {
    "the last iteration's": [looped("loopWhen: $(inputs.i < 4), loop: {i: o}"), 4, "s[0] s[1] s[2]"],
    "those of all iterations": [
      looped("loopWhen: $(inputs.i < 4), loop: {i: o}, outputMethod: all"),
      [2, 3, 4],
      "s[0] s[1] s[2]",
    ],
    "null without any iteration": [looped("loopWhen: $(inputs.i > 4), loop: {i: o}"), null, ""],
    "an empty list without any iteration": [looped("loopWhen: $(false), loop: {i: o}, outputMethod: all"), [], ""],
    "an input that the loop does not name stays as it was": [
      looped("loopWhen: $(inputs.i < inputs.k), loop: {i: o}", { links: "i: a, k: {default: 8}" }),
      9,
      "s[0]",
    ],
    "valueFrom sees the inputs of the iteration before, and the value of its source": [
      looped("loopWhen: $(inputs.i < 9), loop: {i: {loopSource: o, valueFrom: $(self + inputs.i)}}, outputMethod: all"),
      [2, 4, 8],
      "s[0] s[1] s[2]",
    ],
    "valueFrom without a source": [
      looped("loopWhen: $(inputs.i < 9), loop: {i: {valueFrom: '$(self === null ? inputs.i + 5 : 0)'}}"),
      7,
      "s[0] s[1]",
    ],
    "the step's own valueFrom applies once": [
      looped("loopWhen: $(inputs.i < 9), loop: {i: o}, outputMethod: all", {
        links: "i: {source: a, valueFrom: $(self * 7)}",
      }),
      [8, 9],
      "s[0] s[1]",
    ],
    "two inputs change at once": [
      looped("loopWhen: $(inputs.i < 9), loop: {i: o, k: p}, outputMethod: all", { links: "i: a, k: {default: 1}" }),
      [2, 3, 5, 8, 13],
      "s[0] s[1] s[2] s[3] s[4]",
    ],
    "a default if the source gives null": [
      looped("loopWhen: $(inputs.i < 5), loop: {i: {loopSource: n, default: 5}}, outputMethod: all"),
      [2],
      "s[0]",
    ],
    "one of several sources is picked": [
      looped("loopWhen: $(inputs.i < 3), loop: {i: {loopSource: [n, o], pickValue: first_non_null}}"),
      3,
      "s[0] s[1]",
    ],
    "of a workflow, whose call IDs contain the iteration": [
      looped("loopWhen: $(inputs.i < 3), loop: {i: o}, outputMethod: all", { run: ONCE_MORE, from: "p" }),
      [
        [11, 21],
        [12, 22],
      ],
      "s[0]/c s[0]/d[0] s[0]/d[1] s[1]/c s[1]/d[0] s[1]/d[1]",
    ],
    "a loop in a loop": [
      looped("loopWhen: $(inputs.i < 6), loop: {i: o}", { run: LOOP_IN_LOOP }),
      7,
      "s[0]/c[0] s[0]/c[1] s[0]/c[2] s[1]/c[0] s[1]/c[1] s[1]/c[2]",
    ],
  };
  for (const [name, [parts, expected, calls]] of Object.entries(cases))
    test(name, async () => {
      const { ended, calls: made, failures } = await drive(parts, { a: 1 });
      assert.deepEqual(failures, []);
      assert.deepEqual(ended, { status: "success", outputs: { r: expected } });
      assert.equal(made.map(({ id }) => id).join(" "), calls);
    });
});

describe("loops that fail", () => {
  const cases: Readonly<Record<string, readonly [readonly [string, string, string], RegExp]>> = {
    "a condition that is not a boolean": [
      looped("loopWhen: $(inputs.i), loop: {i: o}"),
      /`when` must return true or false/,
    ],
    "a link that picks nothing": [
      looped("loopWhen: $(true), loop: {i: {loopSource: [n, n], pickValue: first_non_null}}"),
      /found only null/,
    ],
    "an expression that throws": [
      looped("loopWhen: $(true), loop: {i: {loopSource: o, valueFrom: '${throw new Error(\"no\")}'}}"),
      /no/,
    ],
  };
  for (const [name, [parts, message]] of Object.entries(cases))
    test(name, async () => {
      const { ended, failures } = await drive(parts, { a: 1 });
      assert.deepEqual(ended, { status: "failed", outputs: { r: null } });
      assert.equal(failures.length, 1);
      assert.match(failures[0]?.message ?? "", message);
      assert.equal(failures[0]?.step, "s");
    });

  test("a failed iteration ends the loop, and steps that need it never start", async () => {
    const [inputs, outputs, steps] = looped("loopWhen: $(inputs.i < 9), loop: {i: o}, outputMethod: all");
    const after = `  t: {run: ${tool("x: Any", "Any", "inputs.x")}, in: {x: s/o}, out: [o]}`;
    const { ended, calls, progress } = await drive(
      [inputs, outputs, `${steps}\n${after}`],
      { a: 1 },
      { execute: failing("s[2]") },
    );
    assert.deepEqual(ended, { status: "failed", outputs: { r: [2, 3, null] } });
    assert.equal(calls.map(({ id, scatterIndex }) => `${id} ${scatterIndex}`).join(), "s[0] 0,s[1] 1,s[2] 2");
    assert.deepEqual(progress.blockedSteps(), ["t"]);
  });
});

test("the size of a loop is open until it ends", async () => {
  const sizes: unknown[] = [];
  const { progress } = await drive(
    looped("loopWhen: $(inputs.i < 3), loop: {i: o}"),
    { a: 1 },
    {
      execute: (_call, state) => {
        sizes.push(state.stepSizes().get("s"));
        return undefined;
      },
    },
  );
  assert.deepEqual(
    [...sizes, progress.stepSizes().get("s")],
    [
      { jobs: 1, skipped: 0, isFinal: false },
      { jobs: 2, skipped: 0, isFinal: false },
      { jobs: 2, skipped: 0, isFinal: true },
    ],
  );
});

test("an endless loop without calls yields after each iteration", async () => {
  const workflow = await loadWorkflow(`requirements: {SubworkflowFeatureRequirement: {}}
inputs: {i: int}
outputs: {r: {type: int?, outputSource: s/o}}
steps:
  s:
    run: {class: Workflow, inputs: {i: int}, outputs: {o: {type: int, outputSource: i}}, steps: []}
    in: {i: i, again: {default: true}}
    out: [o]
    requirements: {"cwltool:Loop": {loopWhen: $(inputs.again), loop: {i: o}}}
`);
  const progress = createProgress(workflow);
  const advances = [await progress.start({ i: 1 }), await progress.nextCalls(), await progress.nextCalls()];
  for (const advance of advances)
    assert.deepEqual(advance, { calls: [], failures: [], isPending: true, ended: undefined });
});

test("sample names pass into the iterations with unchanged values", async () => {
  const inner = `{class: Workflow, inputs: {i: int, l: 'int[]'}, outputs: {o: {type: int, outputSource: c/o}}, steps: {c: {run: ${COUNT}, in: {i: i}, out: [o]}, d: {run: ${COUNT}, scatter: k, in: {i: i, k: l}, out: [o]}}}`;
  const steps = `  s: {run: ${inner}, in: {i: i, l: l}, out: [o], requirements: {"cwltool:Loop": {loopWhen: $(inputs.i < 3), loop: {i: o}}}}`;
  const { calls } = await drive(
    ["i: int, l: 'int[]'", output("int?", "outputSource: s/o"), steps],
    { i: 1, l: [5, 6] },
    { sampleNames: new Map([["l", ["one", "two"]]]) },
  );
  const named = calls.filter(({ step }) => step === "s/d");
  const found = named.map(({ id, sampleId, scatterIndex }) => `${id} ${sampleId} ${scatterIndex}`);
  assert.deepEqual(found, ["s[0]/d[0] one 0,0", "s[0]/d[1] two 0,1", "s[1]/d[0] one 1,0", "s[1]/d[1] two 1,1"]);
});
