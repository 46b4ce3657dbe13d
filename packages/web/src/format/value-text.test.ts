import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, folderText, valueText } from "./value-text.ts";

test("valueText writes a value for people", () => {
  const cases: [unknown, string][] = [
    [null, "not set"],
    [undefined, "not set"],
    [true, "true"],
    [1.5, "1.5"],
    ["a", "a"],
    [[], "empty list"],
    [[1, 2, 3, 4, 5], "1, 2, 3 and 2 more"],
    [{ class: "File", location: "weft-data://cohort/sub%2001.nii" }, "sub 01.nii"],
    [[{ class: "File", basename: "a.txt", location: "x" }], "a.txt"],
    [{ a: 1, b: [true] }, "a: 1, b: true"],
  ];
  for (const [value, text] of cases) assert.equal(valueText(value), text);
});

test("fileName copes with odd addresses", () => {
  assert.equal(fileName({ class: "File", path: "/data/100%" }), "100%");
  assert.equal(fileName({ class: "Directory", location: "file:///data/set/" }), "set");
  assert.equal(fileName({ class: "File", contents: "x" }), "a file");
});

test("folderText shows the end of the folder's path", () => {
  const cases = {
    "/etc/passwd": "/etc",
    "/data/study/sub-01/anat/T1w.nii": "/data/study/sub-01/anat",
    "/mnt/data/study/sub-01/anat/T1w.nii": "…/data/study/sub-01/anat",
    "weft-data://cohort/sub%2001/a.nii": "cohort/sub 01",
    "file:///data/set/": "/data",
    "data:,a/b": "",
    "a.nii": "",
  };
  for (const [location, text] of Object.entries(cases)) assert.equal(folderText({ class: "File", location }), text);
  assert.equal(folderText({ class: "File", contents: "x" }), "");
});
