import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRecord } from "@weft/shared/records/process-record.ts";
import { inputRecord, listOf } from "../../../testing/input-record.ts";
import { fieldNames, missingText } from "./field-names.ts";

const input = (id: string, label = id) => inputRecord(id, listOf("File"), { label });
const step = { id: "each", scatter: ["x"], in: [{ id: "x", source: ["images"] }] } as unknown as StepRecord; // what scatters
const form = { inputs: [input("images", "Images"), input("masks")], steps: [step] };

test("a field is named by its label, and an element as a row of the grid or an entry of a list", () => {
  const nameOf = fieldNames(form, {});
  const cases = {
    "/images": "Images",
    "/images/0/location": "Images, row 1",
    "/masks/1": "masks, entry 2",
    "/masks/1/secondaryFiles/0": "masks, entry 2, secondaryFiles, entry 1",
    "//sample name/2": "Sample name, row 3",
    "/a~1b": "a/b",
  };
  for (const [pointer, name] of Object.entries(cases)) assert.equal(nameOf(pointer), name);
});

test("names the first required inputs without a value, then the first missing values", () => {
  const there = { class: "File", path: "/x" };
  assert.equal(missingText(form, {}), "2 required inputs are missing: Images, masks");
  assert.equal(missingText(form, { images: [null] }), "1 required input is missing: masks");
  assert.equal(missingText(form, { images: [there, null], masks: [] }), "1 value is missing: Images, row 2");
  const blanks = Array.from({ length: 10_000 }, () => null);
  assert.equal(
    missingText(form, { images: blanks, masks: [null] }),
    "10,001 values are missing: Images, row 1 and 10,000 more",
  );
  assert.equal(missingText(form, { images: [there], masks: [] }), undefined);
  const many = { inputs: ["a", "b", "c", "d", "e", "f"].map((id) => input(id)), steps: [] };
  assert.equal(missingText(many, {}), "6 required inputs are missing: a, b, c, d and 2 more");
});
