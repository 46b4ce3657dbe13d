import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { firstSources, previewDerivative, suggestedDerivatives } from "./derivative-places.ts";

const file = (path: string) => ({ class: "File", location: `weft-data://study/${path}` });
const IMAGES = { images: [file("sub-08/ses-2/anat/sub-08_ses-2_T1w.nii"), file("sub-09/anat/sub-09_T1w.nii")] };
const FILE: CwlTypeRecord = { kind: "File" };
const LIST: CwlTypeRecord = { kind: "array", items: FILE };
const outputs = [
  { id: "masks", type: LIST, type_text: "" },
  { id: "thick_map", type: LIST, type_text: "" },
  { id: "table", type: FILE, type_text: "" },
];

test("the first sample is looked at, also a single one and a list of files", () => {
  const pathsOf = (values: Record<string, unknown>) => firstSources(values).map(({ path }) => path);
  assert.deepEqual(pathsOf(IMAGES), ["sub-08/ses-2/anat/sub-08_ses-2_T1w.nii"]);
  assert.deepEqual(pathsOf({ images: [IMAGES.images], age: [3], nothing: null }), [
    "sub-08/ses-2/anat/sub-08_ses-2_T1w.nii",
  ]);
  assert.deepEqual(pathsOf({ image: IMAGES.images[1] }), ["sub-09/anat/sub-09_T1w.nii"]);
  assert.deepEqual(pathsOf({ image: file("a.nii"), folder: { class: "Directory" } }), []);
});

test("outputs of samples get names of BIDS, and the others keep their destinations", () => {
  assert.deepEqual(suggestedDerivatives(outputs, { root: "r", dataset: "brains", places: { table: "vfs://r/t" } }), {
    masks: "bids://r/brains/mask",
    thick_map: "bids://r/brains/desc-thickMap",
    table: "vfs://r/t",
  });
});

test("a destination shows the name for the first sample, or what is wrong", () => {
  const preview = (place: string, values: Record<string, unknown> = IMAGES) =>
    previewDerivative(place, firstSources(values));
  assert.deepEqual(preview("bids://r/brains/mask"), {
    example: "brains/sub-08/ses-2/anat/sub-08_ses-2_mask.…",
  });
  assert.deepEqual(preview("bids://r/brains/desc-x.nii.gz"), {
    example: "brains/sub-08/ses-2/anat/sub-08_ses-2_desc-x_T1w.nii.gz",
  });
  assert.deepEqual(preview("bids://r/brains/sub-1_mask"), {
    fault: "This destination has a subject or session, which come from the sample.",
  });
  assert.deepEqual(preview("bids://r/brains/mask", {}), { fault: "The samples have no files of a BIDS dataset." });
  assert.equal(preview("vfs://r/{basename}"), undefined);
});
