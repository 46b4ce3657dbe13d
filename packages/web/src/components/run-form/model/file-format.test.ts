import assert from "node:assert/strict";
import { test } from "node:test";
import { asFormat, formatName, namedFormats } from "./file-format.ts";

const NIFTI = "http://edamontology.org/format_4001";
const BAM = "http://edamontology.org/format_2572";
const FILE = { class: "File", location: "data:,x" } as const;

test("a file without a format gets the only format of its input; other files and folders stay as they are", () => {
  const folder = { class: "Directory", location: "x" } as const;
  assert.deepEqual(asFormat(FILE, [NIFTI]), { ...FILE, format: NIFTI });
  for (const [value, formats] of [
    [{ ...FILE, format: BAM }, [NIFTI]],
    [FILE, [NIFTI, BAM]],
    [FILE, []],
    [folder, [NIFTI]],
  ] as const)
    assert.deepEqual(asFormat(value, formats), value);
});

test("formats are named by the end of their IRI; the result of an expression is unknown", () => {
  assert.equal(formatName(NIFTI), "format_4001");
  assert.equal(formatName("https://example.org/formats#volume"), "volume");
  assert.deepEqual(namedFormats([NIFTI, "$(inputs.kind)"]), [NIFTI]);
});
