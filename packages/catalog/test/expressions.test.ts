import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { toolAt } from "./documents.ts";

/** Evaluates an ExpressionTool's `${…}` as CWL says: the body of a function, with `inputs` in scope. */
function evaluated(path: string, inputs: object): unknown {
  const { expression = "" } = toolAt(path);
  const body = expression.trim().replace(/^\$\{([^]*)\}$/, "$1");
  const result: unknown = runInNewContext(`(function () { "use strict"; ${body} })()`, { inputs });
  return JSON.parse(JSON.stringify(result));
}

const files = (...names: string[]) => names.map((basename) => ({ class: "File", basename }));

test("subjects are named by their files", () => {
  const named = (...names: string[]) => evaluated("name-subjects/1.0.0", { images: files(...names), subjects: null });
  assert.deepEqual(named("sub-01.nii", "sub-02.nii.gz", "sub-03.T1.NII", "other.img", "__proto__.nii"), {
    subjects: ["sub-01", "sub-02", "sub-03.T1", "other.img", "__proto__"],
  });
  assert.throws(() => named("a.nii", "a.nii.gz"), /"a" occurs twice/);
  assert.throws(() => named(".nii"), /begins with a point/);
});

test("names of subjects are used unchanged, one for each image", () => {
  const given = (subjects: string[], ...names: string[]) =>
    evaluated("name-subjects/1.0.0", { images: files(...names), subjects });
  assert.deepEqual(given(["x", "y"], "a.nii", "a.nii"), { subjects: ["x", "y"] });
  assert.throws(() => given(["x"], "a.nii", "b.nii"), /1 ids for 2 images/);
  for (const bad of ["", "../x", "a/b", ".x", "a\nb"])
    assert.throws(() => given([bad], "a.nii"), /is empty, begins with a point/);
});

test("counts up", () => {
  const counted = (count: number) => evaluated("count-up/1.0.0", { count });
  assert.deepEqual(counted(3), { numbers: [0, 1, 2] });
  assert.deepEqual(counted(0), { numbers: [] });
  assert.throws(() => counted(-1), /is negative/);
});

test("the table of sizes quotes names", () => {
  const texts = files("a.txt", 'b,"c".txt', "=d.txt");
  const result = evaluated("tabulate-texts/1.0.0", {
    texts,
    lines: [1, 2, 3],
    words: [4, 5, 6],
    bytes: [7, 8, 9],
  });
  const contents = 'text,lines,words,bytes\na.txt,1,4,7\n"b,""c"".txt",2,5,8\n\'=d.txt,3,6,9\n';
  assert.deepEqual(result, {
    table: { class: "File", basename: "texts.csv", contents, format: "http://edamontology.org/format_3752" },
  });
});
