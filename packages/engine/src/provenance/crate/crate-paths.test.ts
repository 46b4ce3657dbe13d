import assert from "node:assert/strict";
import { it } from "node:test";
import { CratePaths } from "./crate-paths.ts";

it("CratePaths assigns each name once, keeps files next to each other, and never leads out of the crate", () => {
  const paths = new CratePaths();
  const cases: [string, string, string][] = [
    ["inputs/reads", "a.bam", "inputs/reads/a.bam"],
    ["inputs/reads", "a.bam.bai", "inputs/reads/a.bam.bai"],
    ["inputs/reads", "a.bam", "inputs/reads/2/a.bam"],
    ["inputs/reads", "A.bam.bai", "inputs/reads/2/A.bam.bai"],
    ["inputs/reads", "a.bam", "inputs/reads/3/a.bam"],
    ["inputs/x", "../../../etc/passwd", "inputs/x/etc/passwd"],
    ["inputs/../..", "name", "inputs/name"],
    ["inputs/x", "..\\..\\name", "inputs/x/.._.._name"],
  ];
  for (const [folder, name, expected] of cases) assert.equal(paths.take(folder, name), expected);
});
