import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileEntry } from "@weft/shared/records/process-record.ts";
import { filterEntries, mismatch, sortEntries } from "./entry-order.ts";

const entry = (name: string, size: number | null, day = 1): FileEntry => ({
  name,
  kind: size === null ? "folder" : "file",
  size,
  modified_at: size === null ? null : `2026-11-0${day}T00:00:00Z`,
  location: `weft-data://d/${name}`,
});
const ENTRIES = [
  entry("b10.nii", 5, 1),
  entry("z", null),
  entry("b9.NII.GZ", 50, 2),
  entry("a.csv", 5, 3),
  entry("c", null),
];
const names = (entries: readonly FileEntry[]) => entries.map(({ name }) => name).join(" ");

test("sortEntries", () => {
  assert.equal(names(sortEntries(ENTRIES, "name")), "c z a.csv b9.NII.GZ b10.nii");
  assert.equal(names(sortEntries(ENTRIES, "newest")), "c z a.csv b9.NII.GZ b10.nii");
  assert.equal(names(sortEntries(ENTRIES, "largest")), "c z b9.NII.GZ a.csv b10.nii");
  assert.equal(names(sortEntries([entry("x", 1), entry("y", 1, 9)], "newest")), "y x");
});

test("filterEntries", () => {
  assert.equal(names(filterEntries(ENTRIES, " NII ")), "b10.nii b9.NII.GZ");
  assert.equal(filterEntries(ENTRIES, "  ").length, ENTRIES.length);
  assert.equal(filterEntries(ENTRIES, "(").length, 0);
});

test("misfit says why an entry does not fit the input", () => {
  const nifti = { kind: "File", formats: ["http://edamontology.org/format_4001"] } as const;
  const [b10, folder, b9, csv] = ENTRIES;
  assert.ok(b10 !== undefined && folder !== undefined && b9 !== undefined && csv !== undefined);
  assert.equal(mismatch(csv, nifti), "Not a .nii or .nii.gz file");
  for (const fit of [b10, b9, folder]) assert.equal(mismatch(fit, nifti), "");
  assert.equal(mismatch(csv, { kind: "Directory", formats: [] }), "Not a folder");
  for (const formats of [[], ["https://example.org/own"], [...nifti.formats, "https://example.org/own"]])
    assert.equal(mismatch(csv, { kind: "File", formats }), "");
});
