import assert from "node:assert/strict";
import { test } from "node:test";
import { previewKind } from "./preview-kind.ts";

test("previewKind", () => {
  const cases: [string, string][] = [
    ["report.html", "page"],
    ["paper.PDF", "pdf"],
    ["slices.png", "image"],
    ["logo.svg", "image"],
    ["measures.csv", "csv"],
    ["measures.json", "json"],
    ["notes.txt", "text"],
    ["sub-01.nii.gz", "nifti"],
    ["SUB-01.NII", "nifti"],
    ["reads.fastq.gz", "none"],
    ["Makefile", "none"],
  ];
  for (const [name, kind] of cases) assert.equal(previewKind(name), kind, name);
});
