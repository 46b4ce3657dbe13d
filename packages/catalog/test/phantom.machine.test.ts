import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { catalogFolder, inputsAt } from "./documents.ts";
import { runTool, type ToolResult } from "./run-tool.ts";
import { readVolume } from "./volume.ts";

interface Truth {
  readonly lesions: readonly {
    readonly volume_ml: number;
    readonly centre_mm: readonly number[];
    readonly intensity: number;
  }[];
}

interface Recipe {
  readonly subjects: readonly string[];
  readonly seeds: readonly number[];
  readonly voxel_sizes_mm: readonly (readonly number[])[];
  readonly lesions: readonly number[];
  readonly noise_sd: number;
}

function phantom(inputs: Parameters<typeof runTool>[1]): ToolResult {
  const result = runTool("phantom/1.0.0/phantom.cwl", inputs);
  assert.equal(result.exitCode, 0, result.stderr);
  return result;
}

test("the shipped volumes equal the output of the recipe, byte for byte", () => {
  // The shape of this example is checked against the network's inputs in documents.test.ts.
  const recipe = inputsAt(
    join(catalogFolder, "networks/phantom-cohort/examples/six-subjects.yml"),
  ) as unknown as Recipe;
  recipe.subjects.forEach((subject, index) => {
    const result = phantom({
      subject,
      seed: recipe.seeds[index] ?? 0,
      voxel_mm: recipe.voxel_sizes_mm[index] ?? [],
      lesions: recipe.lesions[index] ?? 0,
      noise_sd: recipe.noise_sd,
    });
    for (const [output, name] of [
      ["image", `${subject}.nii`],
      ["truth", `${subject}_truth.json`],
    ] as const) {
      assert.ok(
        readFileSync(result.output(output)).equals(readFileSync(join(catalogFolder, "data/cohort", name))),
        name,
      );
    }
  });
});

test("the shipped mask and measures equal the tools' output for the first subject", () => {
  const image = join(catalogFolder, "data/cohort/sub-01.nii");
  const thresholded = runTool("threshold/2.0.0/threshold.cwl", { image, subject: "sub-01" });
  const mask = thresholded.output("mask");
  assert.ok(readFileSync(mask).equals(readFileSync(join(catalogFolder, "data/masks/sub-01_mask.nii"))));
  const threshold = Number(readFileSync(thresholded.output("threshold_used"), "utf8"));
  const measured = runTool("measure/1.0.0/measure.cwl", { image, mask, subject: "sub-01", threshold });
  assert.equal(
    readFileSync(measured.output("measures"), "utf8"),
    readFileSync(join(catalogFolder, "data/measures/sub-01_measures.json"), "utf8"),
  );
});

test("lesions have the volume, number and place that the truth tells", () => {
  const made = phantom({ subject: "s", seed: 5, voxel_mm: [3, 3, 3], lesions: 3, noise_sd: 0 });
  const truth = JSON.parse(readFileSync(made.output("truth"), "utf8")) as Truth;
  // Halfway between brain (24) and a lesion (170 to 230) a voxel is half inside.
  const mask = runTool("threshold/2.0.0/threshold.cwl", {
    image: made.output("image"),
    subject: "s",
    method: "fixed",
    threshold: 110,
  }).output("mask");
  const measured = runTool("measure/1.0.0/measure.cwl", { image: made.output("image"), mask, subject: "s" }).output(
    "measures",
  );
  const measures = JSON.parse(readFileSync(measured, "utf8")) as {
    component_volumes_ml: number[];
    centroid_mm: number[];
  };
  const volumes = truth.lesions.map((lesion) => lesion.volume_ml);
  const total = volumes.reduce((sum, volume) => sum + volume, 0);
  volumes
    .toSorted((one, other) => other - one)
    .forEach((volume, index) => assert.ok(Math.abs((measures.component_volumes_ml[index] ?? 0) / volume - 1) < 0.03));
  [0, 1, 2].forEach((axis) => {
    const expected =
      truth.lesions.reduce((sum, lesion) => sum + (lesion.centre_mm[axis] ?? 0) * lesion.volume_ml, 0) / total;
    assert.ok(Math.abs((measures.centroid_mm[axis] ?? NaN) - expected) < 0.5);
  });
});

test("another seed makes another volume, another name does not", () => {
  const bytes = (inputs: Parameters<typeof runTool>[1]) =>
    readFileSync(phantom({ voxel_mm: [9, 9, 9], ...inputs }).output("image"));
  const first = bytes({ subject: "a", seed: 1 });
  assert.ok(first.equals(bytes({ subject: "b", seed: 1 })));
  assert.ok(!first.equals(bytes({ subject: "a", seed: 2 })));
});

test("noise has the standard deviation asked for", () => {
  const clean = readVolume(
    phantom({ subject: "s", seed: 3, voxel_mm: [6, 6, 6], lesions: 0, noise_sd: 0 }).output("image"),
  );
  const noisy = readVolume(
    phantom({ subject: "s", seed: 3, voxel_mm: [6, 6, 6], lesions: 0, noise_sd: 3 }).output("image"),
  );
  // Brain only: in darker tissue noise is cut off at zero.
  const differences = Array.from(noisy.data).flatMap((value, index) =>
    (clean.data[index] ?? 0) === 24 ? [value - 24] : [],
  );
  assert.ok(differences.length > 1000);
  const sd = Math.sqrt(differences.reduce((sum, one) => sum + one * one, 0) / differences.length);
  assert.ok(Math.abs(sd - Math.sqrt(9 + 1 / 12)) < 0.15, `${sd}`);
});

test("too many lesions are refused in one line", () => {
  const { exitCode, stderr } = runTool("phantom/1.0.0/phantom.cwl", { subject: "s", seed: 1, lesions: 60 });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^--lesions: 60 do not fit; at most \d+ do\n$/);
});
