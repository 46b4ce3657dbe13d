import assert from "node:assert/strict";
import { test } from "node:test";
import { asFormat, formatName, namedFormats } from "./file-format.ts";

const NIFTI = "http://edamontology.org/format_4001";
const BAM = "http://edamontology.org/format_2572";
const FILE = { class: "File", location: "data:,x" } as const;

test("a file without a format gets the only format of its input, and keeps an existing format", () => {
  assert.deepEqual(asFormat(FILE, [NIFTI]), { ...FILE, format: NIFTI });
  assert.deepEqual(asFormat({ ...FILE, format: BAM }, [NIFTI]), { ...FILE, format: BAM });
});

test("no format is shown for several formats, none, or a folder", () => {
  assert.deepEqual(asFormat(FILE, [NIFTI, BAM]), FILE);
  assert.deepEqual(asFormat(FILE, []), FILE);
  assert.deepEqual(asFormat({ class: "Directory", location: "x" }, [NIFTI]), { class: "Directory", location: "x" });
});

test("formats are named by the end of their IRI; the result of an expression is unknown", () => {
  assert.equal(formatName(NIFTI), "format_4001");
  assert.equal(formatName("https://example.org/formats#volume"), "volume");
  assert.deepEqual(namedFormats([NIFTI, "$(inputs.kind)"]), [NIFTI]);
});
