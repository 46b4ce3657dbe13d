import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { durationModel, remainingMs } from "./duration-model.ts";
import { estimateOf, runSpan, stepSpan, type StepWork } from "./forecast.ts";

const MINUTE = 60_000;
const model = durationModel(Array<number>(20).fill(MINUTE), []);

function work(more: Partial<StepWork> & Pick<StepWork, "step">): StepWork {
  return { waiting: 0, elapsedMs: [], width: 2, countError: 0, model, ...more };
}

describe("durationModel", () => {
  it("returns undefined without jobs, and uses only this run once it has enough", () => {
    assert.equal(durationModel([], []), undefined);
    const own = [10, 10, 10, 10, 10];
    assert.equal(durationModel(own, [1000, 1000])?.meanMs, 10);
    assert.equal(durationModel(own.slice(1), [20, 20, 20, 20])?.meanMs, 15);
  });

  it("is less certain with fewer jobs, and if only other runs have jobs", () => {
    const relative = (ofRun: number[], before: number[]) => {
      const { errorMs = 0, meanMs = 1 } = durationModel(ofRun, before) ?? {};
      return errorMs / meanMs;
    };
    assert.ok(relative([100], []) > relative([100, 100, 100], []));
    assert.ok(relative([], Array<number>(50).fill(100)) > 0.19);
    assert.ok(relative(Array<number>(50).fill(100), []) < 0.02);
  });

  it("does not insist on earlier runs that running jobs have outlasted", () => {
    const contradicted = durationModel([], [10, 10, 10], [500, 2]);
    assert.equal(contradicted?.meanMs, 500);
    assert.ok(contradicted.errorMs > 250);
    assert.equal(durationModel([], [], [500]), undefined, "nobody knows how much longer");
  });

  it("expects a running job to take as long as those that took longer", () => {
    const known = durationModel([10, 20, 30, 40, 50], []);
    assert.ok(known !== undefined);
    assert.equal(remainingMs(known, 0), 30);
    assert.equal(remainingMs(known, 35), 10);
    assert.equal(remainingMs(known, 100), 20, "longer than any before");
  });
});

describe("stepSpan", () => {
  const cases: [name: string, work: Partial<StepWork>, minutes: number | undefined][] = [
    ["nothing is left", {}, 0],
    ["one job waits", { waiting: 1 }, 1],
    ["jobs fill the machine", { waiting: 20 }, 10.25],
    ["one job at a time", { waiting: 20, width: 1 }, 20],
    ["a job has just begun", { elapsedMs: [0] }, 1],
    ["the duration of a job is unknown", { waiting: 1, model: undefined }, undefined],
  ];
  for (const [name, more, minutes] of cases)
    it(`is ${minutes ?? "unknown"} min if ${name}`, () => {
      const span = stepSpan(work({ step: "a", ...more }));
      assert.equal(span === undefined ? undefined : span.ms / MINUTE, minutes);
    });
});

describe("runSpan", () => {
  const steps = ["a", "b", "c"].map((step) => work({ step, waiting: 1, width: 8 }));
  const minutes = (plan: Parameters<typeof runSpan>[1]) => Math.round((runSpan(steps, plan)?.ms ?? 0) / MINUTE);

  it("adds up steps that wait for each other, not those that run at once", () => {
    assert.equal(minutes(undefined), 3);
    const after = (step: string, ...names: string[]) => ({ step, after: names });
    assert.equal(minutes({ steps: [after("a"), after("b", "a"), after("c", "b")] }), 3);
    assert.equal(minutes({ steps: [after("a"), after("b"), after("c", "a", "b")] }), 2);
    assert.equal(
      minutes({ steps: [after("a"), { step: "outer", after: ["a"], inner: { steps: [after("b"), after("c")] } }] }),
      2,
    );
  });

  it("is never shorter than the machine is busy", () => {
    const busy = ["a", "b"].map((step) => work({ step, waiting: 100, width: 2 }));
    const apart = { steps: ["a", "b"].map((step) => ({ step, after: [] })) };
    assert.equal(runSpan(busy, apart)?.ms, 100 * MINUTE);
  });

  it("is unknown as soon as one step is", () => {
    assert.equal(runSpan([...steps, work({ step: "d", waiting: 1, model: undefined })], undefined), undefined);
  });

  it("terminates for steps that wait for themselves, and copes with a long chain", () => {
    assert.equal(
      minutes({
        steps: [
          { step: "a", after: ["b"] },
          { step: "b", after: ["a"] },
        ],
      }),
      0,
    );
    const chain = Array.from({ length: 20_000 }, (_, index) => ({ step: `s${index}`, after: [`s${index - 1}`] }));
    assert.equal(runSpan([work({ step: "s19999", waiting: 1 })], { steps: chain })?.ms, MINUTE);
  });
});

describe("estimateOf", () => {
  it("is wider upwards, and never negative", () => {
    const { expected_ms, low_ms, high_ms } = estimateOf({ ms: 1000, variance: 500 ** 2 });
    assert.equal(expected_ms, 1000);
    assert.ok(low_ms > 0 && low_ms < 600);
    assert.ok(high_ms - expected_ms > expected_ms - low_ms);
    assert.deepEqual(estimateOf({ ms: 0, variance: 5 }), { expected_ms: 0, low_ms: 0, high_ms: 0 });
  });
});
