import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { catalogFolder, inputsAt } from "./documents.ts";
import { completed, runTool } from "./run-tool.ts";
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

const phantom = (inputs: Parameters<typeof runTool>[1]) => completed("phantom/1.0.0", inputs);
const shipped = (path: string) => readFileSync(join(catalogFolder, "data", path));

test("the shipped volumes equal the output of the recipe, byte for byte", () => {
  const example = join(catalogFolder, "networks/phantom-cohort/examples/six-subjects.yml");
  // The shape of this example is checked against the network's inputs in documents.test.ts.
  const recipe = inputsAt(example) as unknown as Recipe;
  recipe.subjects.forEach((subject, index) => {
    const result = phantom({
      subject,
      seed: recipe.seeds[index] ?? 0,
      voxel_mm: recipe.voxel_sizes_mm[index] ?? [],
      lesions: recipe.lesions[index] ?? 0,
      noise_sd: recipe.noise_sd,
    });
    for (const [output, name] of Object.entries({ image: `${subject}.nii`, truth: `${subject}_truth.json` }))
      assert.ok(readFileSync(result.output(output)).equals(shipped(`cohort/${name}`)), name);
  });
});

test("the shipped mask and measures equal the tools' output for the first subject", () => {
  const image = join(catalogFolder, "data/cohort/sub-01.nii");
  const thresholded = runTool("threshold/2.0.0", { image, subject: "sub-01" });
  const mask = thresholded.output("mask");
  assert.ok(readFileSync(mask).equals(shipped("masks/sub-01_mask.nii")));
  const threshold = Number(thresholded.text("threshold_used"));
  const measured = runTool("measure/1.0.0", { image, mask, subject: "sub-01", threshold });
  assert.equal(measured.text("measures"), String(shipped("measures/sub-01_measures.json")));
});

test("lesions have the volume, number and place that the truth tells", () => {
  const made = phantom({ subject: "s", seed: 5, voxel_mm: [3, 3, 3], lesions: 3, noise_sd: 0 });
  const truth = JSON.parse(made.text("truth")) as Truth;
  const image = made.output("image");
  // Halfway between brain (24) and a lesion (170 to 230) a voxel is half inside.
  const fixed = { image, subject: "s", method: "fixed", threshold: 110 };
  const mask = completed("threshold/2.0.0", fixed).output("mask");
  const measured = completed("measure/1.0.0", { image, mask, subject: "s" });
  const measures = JSON.parse(measured.text("measures")) as { component_volumes_ml: number[]; centroid_mm: number[] };
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
  const volume = (noise_sd: number) =>
    readVolume(phantom({ subject: "s", seed: 3, voxel_mm: [6, 6, 6], lesions: 0, noise_sd }).output("image"));
  const [clean, noisy] = [volume(0), volume(3)];
  // Brain only: in darker tissue noise is cut off at zero.
  const differences = Array.from(noisy.data).flatMap((value, index) =>
    (clean.data[index] ?? 0) === 24 ? [value - 24] : [],
  );
  assert.ok(differences.length > 1000);
  const sd = Math.sqrt(differences.reduce((sum, one) => sum + one * one, 0) / differences.length);
  assert.ok(Math.abs(sd - Math.sqrt(9 + 1 / 12)) < 0.15, `${sd}`);
});

test("too many lesions are refused in one line", () => {
  const { exitCode, stderr } = runTool("phantom/1.0.0", { subject: "s", seed: 1, lesions: 60 });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^--lesions: 60 do not fit; at most \d+ do\n$/);
});
