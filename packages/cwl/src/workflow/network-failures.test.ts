import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CwlObject } from "../model/cwl-value.ts";
import { ADD, DIAMOND, drive, ECHO, failing, output } from "./testing/small-workflows.ts";

describe("failures", () => {
  test("a failed call blocks only the steps that need it", async () => {
    const { ended, progress, calls, failures } = await drive(DIAMOND, { a: [1, 2] }, { execute: failing("right[1]") });
    assert.deepEqual(ended, { status: "failed", outputs: { good: [101, 102], bad: null, part: [101, null] } });
    assert.deepEqual(progress.blockedSteps(), ["join", "after"]);
    assert.deepEqual(
      calls.map(({ id }) => id),
      ["left[0]", "left[1]", "right[0]", "right[1]"],
    );
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
    assert.deepEqual(
      partly.calls.map(({ id }) => id),
      ["first[0]", "first[1]", "first[2]", "second[0]", "second[2]", "third[2]"],
    );
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
      assert.deepEqual(
        calls.map(({ id }) => id),
        ["first[0]", "first[1]", "first[2]"],
      );
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
    assert.deepEqual(
      calls.map(({ id }) => id).filter((id) => id.startsWith("after")),
      ["after[1]"],
    );
  });

  const cases: Readonly<
    Record<
      string,
      readonly [
        parts: readonly [string, string, string],
        inputs: CwlObject,
        step: string,
        callId: string | undefined,
        message: RegExp,
      ]
    >
  > = {
    "`when` gives no boolean": [
      ["a: int", "  []", `  s: {run: ${ECHO}, when: $(inputs.x), in: {x: a}, out: [o]}`],
      { a: 1 },
      "s",
      "s",
      /`when` must return true or false, but returned the number 1/,
    ],
    "valueFrom fails for one job": [
      ["a: 'Any'", "  []", `  s: {run: ${ECHO}, scatter: x, in: {x: {source: a, valueFrom: $(self.b.c)}}, out: [o]}`],
      { a: [{ b: { c: 1 } }, {}] },
      "s",
      "s[1]",
      /undefined|has no field/,
    ],
    "a scatter over a value that is no list": [
      ["a: Any", "  []", `  s: {run: ${ECHO}, scatter: x, in: {x: a}, out: [o]}`],
      { a: 1 },
      "s",
      undefined,
      /must be a list/,
    ],
    "nothing to pick for a step": [
      ["a: int?", "  []", `  s: {run: ${ECHO}, in: {x: {source: a, pickValue: first_non_null}}, out: [o]}`],
      {},
      "s",
      undefined,
      /found only null/,
    ],
    "nothing to pick for an output": [
      ["a: int?", output("int", "outputSource: a, pickValue: first_non_null"), "  []"],
      {},
      "",
      undefined,
      /found only null/,
    ],
    "inputs of a nested workflow": [
      [
        "a: Any",
        "  []",
        "  s: {run: {class: Workflow, inputs: {x: int}, outputs: [], steps: []}, in: {x: a}, out: []}",
      ],
      { a: "text" },
      "s",
      "s",
      /expected int, found the text "text"/,
    ],
    "an output of a nested workflow": [
      [
        "a: int?",
        "  []",
        '  s: {run: {class: Workflow, inputs: {x: "int?"}, outputs: {y: {type: int, outputSource: x, pickValue: the_only_non_null}}, steps: []}, in: {x: a}, out: [y]}',
      ],
      {},
      "s",
      undefined,
      /found 0 values/,
    ],
  };
  for (const [name, [parts, inputs, step, callId, message]] of Object.entries(cases))
    test(name, async () => {
      const { ended, failures } = await drive(parts, inputs);
      assert.equal(ended?.status, "failed");
      assert.deepEqual(
        failures.map((failure) => [failure.step, failure.callId]),
        [[step, callId]],
      );
      assert.match(failures[0]?.message ?? "", message);
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
      assert.deepEqual(found.calls.map(({ id }) => id).toSorted(), [
        "after",
        "join",
        "left[0]",
        "left[1]",
        "left[2]",
        "right[0]",
        "right[1]",
        "right[2]",
      ]);
    });
});
