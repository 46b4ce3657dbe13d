import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import {
  firstSources,
  outputsWithFiles,
  previewDerivative,
  suggestedDerivatives,
  suggestedPlaces,
} from "./output-places.ts";

function output(id: string, type: CwlTypeRecord) {
  return { id, type, type_text: "" };
}

const FILE: CwlTypeRecord = { kind: "File" };
const OUTPUTS = [
  output("table", FILE),
  output("count", { kind: "int" }),
  output("kind", { kind: "enum", symbols: ["File"] }),
  output("maybe", { kind: "union", options: [{ kind: "null" }, { kind: "Directory" }] }),
  output("nested", { kind: "array", items: { kind: "array", items: FILE } }),
  output("record", { kind: "record", fields: [{ name: "f", type: FILE }] }),
  output("numbers", { kind: "array", items: { kind: "float" } }),
  output("any", { kind: "Any" }),
];

const file = (path: string) => ({ class: "File", location: `weft-data://study/${path}` });
const IMAGES = { images: [file("sub-08/ses-2/anat/sub-08_ses-2_T1w.nii"), file("sub-09/anat/sub-09_T1w.nii")] };
const LIST: CwlTypeRecord = { kind: "array", items: FILE };
const SAMPLE_OUTPUTS = [output("masks", LIST), output("thick_map", LIST), output("table", FILE)];

test("outputs that may contain files have a destination", () => {
  const ids = outputsWithFiles(OUTPUTS).map(({ id }) => id);
  assert.deepEqual(ids, ["table", "maybe", "nested", "record", "any"]);
});

test("suggests a destination of this run for each output", () => {
  assert.deepEqual(suggestedPlaces(OUTPUTS.slice(0, 1), "results"), {
    table: "vfs://results/{run_id}/{output}/{basename}",
  });
});

test("uses the first sample, also a single one and a list of files", () => {
  const pathsOf = (values: Record<string, unknown>) => firstSources(values).map(({ path }) => path);
  assert.deepEqual(pathsOf(IMAGES), ["sub-08/ses-2/anat/sub-08_ses-2_T1w.nii"]);
  assert.deepEqual(pathsOf({ images: [IMAGES.images], age: [3], nothing: null }), [
    "sub-08/ses-2/anat/sub-08_ses-2_T1w.nii",
  ]);
  assert.deepEqual(pathsOf({ image: IMAGES.images[1] }), ["sub-09/anat/sub-09_T1w.nii"]);
  assert.deepEqual(pathsOf({ image: file("a.nii"), folder: { class: "Directory" } }), []);
});

test("outputs of samples get BIDS names, and other outputs keep their destinations", () => {
  const places = { table: "vfs://r/t" };
  const suggested = suggestedDerivatives(SAMPLE_OUTPUTS, { root: "r", dataset: "brains", places });
  const named = { masks: "bids://r/brains/mask", thick_map: "bids://r/brains/desc-thickMap" };
  assert.deepEqual(suggested, { ...named, ...places });
});

test("a destination shows the name for the first sample, or its problem", () => {
  const preview = (place: string, values: Record<string, unknown> = IMAGES) =>
    previewDerivative(place, firstSources(values));
  const stem = "brains/sub-08/ses-2/anat/sub-08_ses-2";
  assert.deepEqual(preview("bids://r/brains/mask"), { example: `${stem}_mask.…` });
  assert.deepEqual(preview("bids://r/brains/desc-x.nii.gz"), { example: `${stem}_desc-x_T1w.nii.gz` });
  const fault = "This destination has a subject or session, which come from the sample.";
  assert.deepEqual(preview("bids://r/brains/sub-1_mask"), { fault });
  assert.deepEqual(preview("bids://r/brains/mask", {}), { fault: "The samples have no files of a BIDS dataset." });
  assert.equal(preview("vfs://r/{basename}"), undefined);
  assert.equal(previewDerivative("bids://r/brains/mask", undefined), undefined);
});
