import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNames, namesOfRun, namesStillFit, rowName, sampleNames } from "./named-samples.ts";

const file = (path: string) => ({ class: "File", path });
const images = [file("/a"), file("/b")];
const samples = { names: ["s1", "s2"], lists: { images } };

test("every list of the sheet gets its names, and a sample without one that of its file", () => {
  assert.deepEqual(sampleNames({ names: ["10", "9"], lists: { images, ages: [1, 2] } }), {
    images: ["10", "9"],
    ages: ["10", "9"],
  });
  const lists = { images: [file("/x/sub-01.nii.gz"), file("/x/sub-02.nii.gz")] };
  assert.deepEqual(sampleNames({ names: ["", "second"], lists }), { images: ["sub-01", "second"] });
});

test("names fit only the lists that the sheet filled", () => {
  const cases: [Record<string, unknown>, boolean][] = [
    [{ images }, true],
    [{ images: structuredClone(images), weights: [1] }, true],
    [{ images: images.toReversed() }, false],
    [{ images: images.slice(1) }, false],
    [{}, false],
  ];
  for (const [values, expected] of cases) assert.equal(namesStillFit(samples, values), expected);
});

test("names that are missing or given twice are problems of their row", () => {
  const numbers = [1, 2, 3, 4];
  assert.deepEqual(checkNames({ names: ["a", "", "b", "a"], lists: { numbers } }), [
    { pointer: "//sample name/1", message: "Name this sample, or leave all names empty" },
    { pointer: "//sample name/3", message: 'Duplicate sample name "a" (also in row 1)' },
  ]);
  assert.deepEqual(checkNames({ names: ["a", ""], lists: { images } }), []);
});

test("rowName follows the server", () => {
  const image = file("/x/sub-01.nii.gz");
  const cases: [Record<string, unknown>, string][] = [
    [{ images: image }, "sub-01"],
    [{ images: image, subjects: "first" }, "first"],
    [{ images: image, labels: "first" }, "sub-01"],
    [{ numbers: 3 }, ""],
    [{}, ""],
  ];
  for (const [values, expected] of cases) assert.equal(rowName(Object.entries(values)), expected);
});

test("the names of an earlier run go with the lists that still have as many entries", () => {
  const inputs = { images: ["a", "b"], ages: [30, 40], title: "t" };
  const names = ["one", "two"];
  assert.deepEqual(namesOfRun({ inputs, sample_names: { images: names, ages: names } }), {
    names,
    lists: { images: inputs.images, ages: inputs.ages },
  });
  assert.equal(namesOfRun({ inputs }), undefined);
  assert.equal(namesOfRun({ inputs: { images: ["a"] }, sample_names: { images: names } }), undefined);
  assert.equal(namesOfRun({ inputs: null, sample_names: { images: names } }), undefined);
});
