import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { expect, test } from "vitest";
import {
  firstSources,
  outputsWithFiles,
  previewDerivative,
  suggestedDerivatives,
  suggestedPlaces,
} from "./sink-fields.tsx";

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
  expect(ids).toEqual(["table", "maybe", "nested", "record", "any"]);
});

test("suggests a destination of this run for each output", () => {
  expect(suggestedPlaces(OUTPUTS.slice(0, 1), "results")).toEqual({
    table: "vfs://results/{run_id}/{output}/{basename}",
  });
});

test("uses the first sample, also a single one and a list of files", () => {
  const pathsOf = (values: Record<string, unknown>) => firstSources(values).map(({ path }) => path);
  expect(pathsOf(IMAGES)).toEqual(["sub-08/ses-2/anat/sub-08_ses-2_T1w.nii"]);
  expect(pathsOf({ images: [IMAGES.images], age: [3], nothing: null })).toEqual([
    "sub-08/ses-2/anat/sub-08_ses-2_T1w.nii",
  ]);
  expect(pathsOf({ image: IMAGES.images[1] })).toEqual(["sub-09/anat/sub-09_T1w.nii"]);
  expect(pathsOf({ image: file("a.nii"), folder: { class: "Directory" } })).toEqual([]);
});

test("outputs of samples get BIDS names, and other outputs keep their destinations", () => {
  const places = { table: "vfs://r/t" };
  const suggested = suggestedDerivatives(SAMPLE_OUTPUTS, { root: "r", dataset: "brains", places });
  const named = { masks: "bids://r/brains/mask", thick_map: "bids://r/brains/desc-thickMap" };
  expect(suggested).toEqual({ ...named, ...places });
});

test("a destination shows the name for the first sample, or its problem", () => {
  const preview = (place: string, values: Record<string, unknown> = IMAGES) =>
    previewDerivative(place, firstSources(values));
  const stem = "brains/sub-08/ses-2/anat/sub-08_ses-2";
  expect(preview("bids://r/brains/mask")).toEqual({ example: `${stem}_mask.…` });
  expect(preview("bids://r/brains/desc-x.nii.gz")).toEqual({ example: `${stem}_desc-x_T1w.nii.gz` });
  const fault = "This destination has a subject or session, which come from the sample.";
  expect(preview("bids://r/brains/sub-1_mask")).toEqual({ fault });
  expect(preview("bids://r/brains/mask", {})).toEqual({ fault: "The samples have no files of a BIDS dataset." });
  expect(preview("vfs://r/{basename}")).toBe(undefined);
  expect(previewDerivative("bids://r/brains/mask", undefined)).toBe(undefined);
});
