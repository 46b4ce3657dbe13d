import assert from "node:assert/strict";
import { test } from "node:test";
import { isTooLarge, previewKind, thumbKind } from "./preview-kind.ts";

test("previewKind chooses a preview by the name of a file", () => {
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

test("thumbnails are made of small files and of the beginning of text files", () => {
  const MIB = 1024 ** 2;
  const cases: readonly (readonly [string, number | undefined, string])[] = [
    ["a.png", MIB, "image"],
    ["a.svg", MIB, "image"],
    ["a.png", 9 * MIB, "none"],
    ["a.png", undefined, "none"],
    ["a.nii.gz", 32 * MIB, "nifti"],
    ["a.nii.gz", 33 * MIB, "none"],
    ["a.pdf", MIB, "pdf"],
    ["a.pdf", 9 * MIB, "none"],
    ["a.csv", 1e12, "csv"],
    ["a.txt", undefined, "text"],
    ["a.txt", 0, "none"],
    ["a.bam", 1, "none"],
  ];
  for (const [name, size, expected] of cases) assert.equal(thumbKind(name, size), expected, `${name} ${size}`);
});

test("the viewer reads no huge file as a whole", () => {
  assert.equal(isTooLarge("a.png", 65 * 1024 ** 2), true);
  assert.equal(isTooLarge("a.png", undefined), false);
  assert.equal(isTooLarge("a.csv", 1e12), false);
  assert.equal(isTooLarge("a.nii.gz", 2e9), true);
});
