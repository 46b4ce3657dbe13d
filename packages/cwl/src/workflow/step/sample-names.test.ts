import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlObject, CwlValue } from "../../model/cwl-value.ts";
import { sampleNames, valueName } from "./sample-names.ts";
import { scatterJobs } from "./scatter-jobs.ts";
import { scatterSize } from "./scatter-size.ts";

const NAMES: readonly (readonly [CwlValue, string | undefined])[] = [
  [{ class: "File", location: "file:///d/sub-01.nii.gz" }, "sub-01"],
  [{ class: "File", location: "file:///d/x", basename: "s.2_R1.fastq.gz" }, "s"],
  [{ class: "File", location: "file:///d/.hidden.txt" }, ".hidden"],
  [{ class: "Directory", location: "file:///d/sub-02/" }, "sub-02"],
  ["text", "text"],
  ["", undefined],
  [5, undefined],
  [{ name: "n", sample_id: "s" }, "n"],
  [{ sample_id: "s" }, "s"],
  [{ other: "x" }, undefined],
];
for (const [value, expected] of NAMES)
  test(`${JSON.stringify(value)} is called ${expected}`, () => assert.equal(valueName(value), expected));

const file = (name: string) => ({ class: "File", location: `file:///${name}` }) as const;
const INPUTS: CwlObject = {
  image: [file("b.nii"), file("a.nii")],
  same: [file("x/t.nii"), file("y/t.nii")],
  sample_id: ["s1", "s2"],
  mode: ["fast", "slow"],
  n: [1, 2],
};

const CASES: readonly (readonly [
  axes: readonly string[],
  method: "dotproduct" | "flat_crossproduct",
  given: readonly string[] | undefined,
  expected: readonly (string | undefined)[],
])[] = [
  [["image"], "dotproduct", undefined, ["b", "a"]],
  [["image", "sample_id"], "dotproduct", undefined, ["s1", "s2"]],
  [["n", "image"], "dotproduct", undefined, ["b", "a"]],
  [["n"], "dotproduct", undefined, [undefined, undefined]],
  [["same"], "dotproduct", undefined, ["t-0", "t-1"]],
  [["image"], "dotproduct", ["given1", "given2"], ["given1", "given2"]],
  [["image", "mode"], "flat_crossproduct", undefined, ["b-fast", "b-slow", "a-fast", "a-slow"]],
  [["image", "n"], "flat_crossproduct", undefined, ["b-0-0", "b-0-1", "a-1-0", "a-1-1"]],
];
for (const [axes, method, given, expected] of CASES) {
  test(`names samples of ${method} over ${axes.join(" and ")}`, async () => {
    const step = { scatter: axes, scatterMethod: method };
    const size = scatterSize(step, (input) => INPUTS[input] ?? null);
    const found = await sampleNames(() => scatterJobs(step, size, INPUTS), {
      axes: axes.map((input, axis) => ({ input, names: axis === 0 ? given : undefined })),
      isCrossed: method !== "dotproduct",
      giveWay: async () => {},
    });
    assert.deepEqual(found, expected);
  });
}
