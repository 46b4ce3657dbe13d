import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CwlValue } from "../model/cwl-value.ts";
import { ADD, DIAMOND, drive, ECHO, failing, output, step } from "./testing/small-workflows.ts";

describe("failures", () => {
  test("a failed call blocks only the steps that need it", async () => {
    const { ended, progress, calls, failures } = await drive(DIAMOND, { a: [1, 2] }, { execute: failing("right[1]") });
    assert.deepEqual(ended, { status: "failed", outputs: { good: [101, 102], bad: null, part: [101, null] } });
    assert.deepEqual(progress.blockedSteps(), ["join", "after"]);
    assert.equal(calls.map(({ id }) => id).join(" "), "left[0] left[1] right[0] right[1]");
    assert.deepEqual(failures, []);
  });

  test("jobs of a later step run if they need only other samples", async () => {
    const chain = (later: string): [string, string, string] => [
      "a: 'int[]'",
      `  one: {type: Any, outputSource: first/o}\n  two: {type: Any, outputSource: second/o}\n  three: {type: Any, outputSource: third/o}`,
      `  first: {run: ${ADD}, scatter: x, in: {x: a}, out: [o]}\n${later}\n  third: {run: ${ECHO}, scatter: x, in: {x: second/o}, out: [o]}`,
    ];
    const elements = `  second: {run: ${ADD}, scatter: x, in: {x: first/o}, out: [o]}`;
    const partly = await drive(chain(elements), { a: [1, 2, 3] }, { execute: failing("first[1]", "second[0]") });
    assert.deepEqual(partly.ended, {
      status: "failed",
      outputs: { one: [101, null, 103], two: [null, null, 203], three: [null, null, 203] },
    });
    assert.equal(partly.calls.map(({ id }) => id).join(" "), "first[0] first[1] first[2] second[0] second[2] third[2]");
    assert.deepEqual([partly.progress.blockedSteps(), partly.failures], [[], []]);
    assert.deepEqual(partly.progress.stepSizes().get("second"), { jobs: 3, skipped: 1, isFinal: true });
    // Each of these needs the whole list.
    for (const whole of [
      `  second: {run: ${ECHO}, scatter: x, in: {x: {source: [first/o], linkMerge: merge_flattened}}, out: [o]}`,
      `  second: {run: ${ECHO}, scatter: x, in: {x: {source: first/o, pickValue: all_non_null}}, out: [o]}`,
      `  second: {run: ${ECHO}, scatter: x, in: {x: a, y: first/o}, out: [o]}`,
      `  second: {run: ${ADD}, scatter: [x, y], scatterMethod: flat_crossproduct, in: {x: first/o, y: a}, out: [o]}`,
    ]) {
      const { calls, progress } = await drive(chain(whole), { a: [1, 2, 3] }, { execute: failing("first[1]") });
      assert.equal(calls.map(({ id }) => id).join(" "), "first[0] first[1] first[2]");
      assert.deepEqual(progress.blockedSteps(), ["second", "third"]);
    }
  });

  test("a sample that fails inside a nested workflow does not keep others from later steps", async () => {
    const nested = `{class: Workflow, inputs: {x: int}, outputs: {o: {type: Any, outputSource: in2/o}}, steps: {in1: {run: ${ADD}, in: {x: x}, out: [o]}, in2: {run: ${ADD}, in: {x: in1/o}, out: [o]}}}`;
    const { calls, ended } = await drive(
      [
        "a: 'int[]'",
        "  r: {type: Any, outputSource: after/o}",
        `  each: {run: ${nested}, scatter: x, in: {x: a}, out: [o]}\n  after: {run: ${ECHO}, scatter: x, in: {x: each/o}, out: [o]}`,
      ],
      { a: [1, 2] },
      { execute: failing("each[0]/in1") },
    );
    assert.deepEqual(ended, { status: "failed", outputs: { r: [null, 202] } });
    assert.equal(
      calls
        .filter(({ step }) => step === "after")
        .map(({ id }) => id)
        .join(),
      "after[1]",
    );
  });

  const EACH = step("s", ECHO, "scatter: x, in: {x: a}");
  const PICK = "pickValue: first_non_null";
  type Case = readonly [a: CwlValue, steps: string, step: string, callId: string | undefined, message: RegExp];
  const cases: Readonly<Record<string, Case>> = {
    "`when` gives no boolean": [
      1,
      step("s", ECHO, "when: $(inputs.x), in: {x: a}"),
      "s",
      "s",
      /`when` must return true or false, but returned the number 1/,
    ],
    "valueFrom fails for one job": [
      [{ b: { c: 1 } }, {}],
      step("s", ECHO, "scatter: x, in: {x: {source: a, valueFrom: $(self.b.c)}}"),
      "s",
      "s[1]",
      /undefined|has no field/,
    ],
    "a scatter over a value that is no list": ["x", EACH, "s", undefined, /must be a list, but is a string/],
    "a scatter over null": [null, EACH, "s", undefined, /must be a list, but is null/],
    "lists of different lengths": [
      [1, 2],
      step("s", ADD, "scatter: [x, y], scatterMethod: dotproduct, in: {x: a, y: {default: [1]}}"),
      "s",
      undefined,
      /`x` has 2, `y` has 1/,
    ],
    "nothing to pick for a step": [
      null,
      step("s", ECHO, `in: {x: {source: a, ${PICK}}}`),
      "s",
      undefined,
      /found only null/,
    ],
    "inputs of a nested workflow": [
      "text",
      "  s: {run: {class: Workflow, inputs: {x: int}, outputs: [], steps: []}, in: {x: a}, out: []}",
      "s",
      "s",
      /expected int, found the text "text"/,
    ],
    "an output of a nested workflow": [
      null,
      '  s: {run: {class: Workflow, inputs: {x: "Any?"}, outputs: {y: {type: int, outputSource: x, pickValue: the_only_non_null}}, steps: []}, in: {x: a}, out: [y]}',
      "s",
      undefined,
      /found 0 values/,
    ],
  };
  for (const [name, [a, steps, step, callId, message]] of Object.entries(cases))
    test(name, async () => {
      const { ended, failures } = await drive(['a: "Any?"', "  []", steps], { a });
      assert.equal(ended?.status, "failed");
      const shown = failures.map((failure) => [failure.step, failure.callId]);
      assert.deepEqual(shown, [[step, callId]]);
      assert.match(failures[0]?.message ?? "", message);
    });

  test("an output that finds nothing to pick fails the workflow", async () => {
    const { ended, failures } = await drive(["a: int?", output("int", `outputSource: a, ${PICK}`), "  []"], {});
    assert.deepEqual([ended?.status, failures[0]?.step, failures[0]?.callId], ["failed", "", undefined]);
    assert.match(failures[0]?.message ?? "", /found only null/);
  });

  test("a nested failure blocks later steps of the outer workflow", async () => {
    const nested = `  s: {run: {class: Workflow, inputs: {x: int}, outputs: {o: {type: int, outputSource: i/o}}, steps: {i: {run: ${ADD}, in: {x: x}, out: [o]}}}, scatter: x, in: {x: a}, out: [o]}\n  t: {run: ${ECHO}, in: {x: s/o}, out: [o]}`;
    const { ended, progress } = await drive(
      ["a: 'int[]'", output("Any", "outputSource: s/o"), nested],
      { a: [1, 2] },
      { execute: failing("s[0]/i") },
    );
    assert.deepEqual(ended, { status: "failed", outputs: { r: [null, 102] } });
    assert.deepEqual(progress.blockedSteps(), ["t"]);
  });

  test("a call that ends twice is a bug of the driver", async () => {
    const { progress } = await drive(["a: int", "  []", `  s: {run: ${ECHO}, in: {x: a}, out: [o]}`], { a: 1 });
    await assert.rejects(progress.callEnded("s", { status: "failed" }), /no call with the id s is open/);
  });
});

describe("in whichever order calls end", () => {
  for (const seed of [1, 2, 3, 4, 5])
    test(`ids and outputs are the same (order ${seed})`, async () => {
      let state = seed;
      const choose = (waiting: readonly unknown[]) =>
        (state = (state * 1103515245 + 12345) % 2147483648) % waiting.length;
      const found = await drive(DIAMOND, { a: [1, 2, 3] }, { choose });
      assert.deepEqual(found.ended, {
        status: "success",
        outputs: { good: [101, 102, 103], bad: [101, 102, 103], part: [101, 102, 103] },
      });
      const ids = found.calls.map(({ id }) => id).toSorted();
      assert.equal(ids.join(" "), "after join left[0] left[1] left[2] right[0] right[1] right[2]");
    });
});
