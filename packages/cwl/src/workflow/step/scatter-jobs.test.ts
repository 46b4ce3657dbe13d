import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlObject, CwlValue } from "../../model/cwl-value.ts";
import type { ScatterMethod } from "../../model/process.ts";
import { gatherResults, gatherShape, inputsOfJob, scatterJobs } from "./scatter-jobs.ts";
import { scatterSize } from "./scatter-size.ts";

const INPUTS = { a: ["a0", "a1"], b: [1, 2, 3], none: [], two: [["x", "y"], ["z"]], fixed: true };

const valueIn =
  (inputs: CwlObject) =>
  (name: string): CwlValue =>
    inputs[name] ?? null;

/** Each job as its scattered inputs and index; the gathered result of jobs that return their index. */
const CASES: Readonly<
  Record<string, readonly [readonly string[], ScatterMethod | undefined, readonly string[], string]>
> = {
  "no scatter": [[], undefined, [":"], '""'],
  "one list": [["a"], undefined, ["a0:0", "a1:1"], '["0","1"]'],
  "an empty list": [["none"], undefined, [], "[]"],
  aligned: [["a", "two"], "dotproduct", ['a0,["x","y"]:0', 'a1,["z"]:1'], '["0","1"]'],
  "crossed and nested": [
    ["a", "b"],
    "nested_crossproduct",
    ["a0,1:0,0", "a0,2:0,1", "a0,3:0,2", "a1,1:1,0", "a1,2:1,1", "a1,3:1,2"],
    '[["0,0","0,1","0,2"],["1,0","1,1","1,2"]]',
  ],
  "crossed and flat": [
    ["b", "a"],
    "flat_crossproduct",
    ["1,a0:0,0", "1,a1:0,1", "2,a0:1,0", "2,a1:1,1", "3,a0:2,0", "3,a1:2,1"],
    '["0,0","0,1","1,0","1,1","2,0","2,1"]',
  ],
  "nested with an empty inner list": [["a", "none"], "nested_crossproduct", [], "[[],[]]"],
  "nested with an empty outer list": [["none", "a"], "nested_crossproduct", [], "[]"],
  "flat with an empty list": [["a", "none"], "flat_crossproduct", [], "[]"],
  "a list of lists twice": [
    ["two", "two"],
    "nested_crossproduct",
    ["x,x:0,0", "y,y:0,1", "z,z:1,0"],
    '[["0,0","0,1"],["1,0"]]',
  ],
};
for (const [name, [scatter, method, jobs, gathered]] of Object.entries(CASES))
  test(name, () => {
    const step = { scatter, ...(method === undefined ? {} : { scatterMethod: method }) };
    const size = scatterSize(step, valueIn(INPUTS));
    const found = [...scatterJobs(step, size, INPUTS)];
    const inputs = found.map((job) => inputsOfJob(step, job, INPUTS));
    const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
    assert.deepEqual(
      found.map(
        ({ index }, job) => `${scatter.map((input) => shown(inputs[job]?.[input])).join(",")}:${index.join(",")}`,
      ),
      jobs,
    );
    assert.equal(size.jobs, jobs.length);
    const shape = gatherShape(step, size, INPUTS);
    assert.equal(JSON.stringify(gatherResults(shape, (job) => found[job]?.index.join(",") ?? null)), gathered);
    assert.ok(inputs.every((values) => values["fixed"] === true));
  });

const WRONG: readonly (readonly [string, readonly string[], CwlObject, RegExp])[] = [
  ["lists of different lengths", ["a", "b"], INPUTS, /`a` has 2, `b` has 3/],
  ["a value that is not a list", ["a"], { a: "x" }, /`a` is scattered over and must be a list, but is a string/],
  ["null", ["a"], { a: null }, /must be a list, but is null/],
];
for (const [name, scatter, inputs, message] of WRONG)
  test(`refuses ${name}`, () =>
    assert.throws(() => scatterSize({ scatter }, valueIn(inputs)), { code: "INPUT_INVALID", message }));
