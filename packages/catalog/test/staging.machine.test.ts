import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { catalogFolder } from "./documents.ts";
import { runTool, type RunOptions } from "./run-tool.ts";

const measures = [1, 2].map((number) => join(catalogFolder, `data/measures/sub-0${number}_measures.json`));

/** The Node of the machine: a fresh clone has no other when a job starts. */
function nodeOfThePath(): string | undefined {
  const path = (process.env["PATH"] ?? "")
    .split(":")
    .filter((folder) => !folder.includes("node_modules"))
    .join(":");
  try {
    return execFileSync("sh", ["-c", "command -v node"], { encoding: "utf8", env: { PATH: path } }).trim();
  } catch {
    return undefined;
  }
}

const systemNode = nodeOfThePath();
const WAYS: readonly (readonly [string, RunOptions])[] = [
  ["by symbolic link", { stagedBy: "symlink" }],
  ["by copy", { stagedBy: "copy" }],
  ...(systemNode === undefined
    ? []
    : [["by symbolic link, with the Node of the machine", { stagedBy: "symlink", node: systemNode }] as const]),
];

for (const [name, options] of WAYS) {
  test(`programs find their modules and files when staged ${name}`, () => {
    const phantom = runTool("phantom/1.0.0", { subject: "s", seed: 1, voxel_mm: [9, 9, 9] }, options);
    assert.equal(phantom.exitCode, 0, phantom.stderr);
    const image = phantom.output("image");
    const smoothed = runTool("smooth/1.0.0", { image, subject: "s" }, options).output("smoothed");
    const mask = runTool("threshold/2.0.0", { image: smoothed, subject: "s", largest_component: true }, options).output(
      "mask",
    );
    assert.equal(runTool("threshold/1.0.0", { image, subject: "s" }, options).exitCode, 0);
    assert.equal(runTool("measure/1.0.0", { image, mask, subject: "s" }, options).exitCode, 0);
    assert.equal(runTool("slice-montage/1.0.0", { image, mask, subject: "s" }, options).exitCode, 0);
    assert.equal(runTool("gather-measures/1.0.0", { measures }, options).exitCode, 0);
    assert.equal(runTool("cohort-report/1.0.0", { measures }, options).exitCode, 0);
  });
}

test("two runs give the same bytes", () => {
  const image = join(catalogFolder, "data/cohort/sub-02.nii");
  const smoothed = () => readFileSync(runTool("smooth/1.0.0", { image, subject: "s" }).output("smoothed"));
  const report = () => readFileSync(runTool("cohort-report/1.0.0", { measures }).output("report"));
  assert.ok(smoothed().equals(smoothed()));
  assert.ok(report().equals(report()));
});

test("a subject that would leave the folder is refused", () => {
  for (const subject of ["../x", ".hidden", "a/b", "a\nb"]) {
    const { exitCode, files } = runTool("phantom/1.0.0", { subject, seed: 1, voxel_mm: [9, 9, 9] });
    assert.deepEqual([exitCode, files], [1, []]);
  }
});
