import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "@weft/cwl/testing/any-character.ts";
import { fillSinkTemplate, parseSinkTemplate, SINK_FIELDS, type SinkField } from "./sink-template.ts";

const VALUES: Readonly<Record<SinkField, string | undefined>> = {
  sample_id: "sub-01",
  basename: "a.nii.gz",
  nameroot: "a.nii",
  nameext: ".gz",
  output: "masks",
  index: "3",
  run_id: "r1",
};

function filled(text: string, values: Partial<typeof VALUES> = {}): string {
  const template = parseSinkTemplate(text);
  if (typeof template === "string") return template;
  const result = fillSinkTemplate(template, { ...VALUES, ...values });
  return typeof result === "string" ? result : `${template.root}: ${result.path.join(" / ")}`;
}

const CASES: readonly (readonly [string, string])[] = [
  ["vfs://results/{sample_id}/{basename}", "results: sub-01 / a.nii.gz"],
  ["vfs://r/x {output}-{index}.{run_id}{nameext}", "r: x masks-3.r1.gz"],
  ["/absolute", "is not of the form vfs://ROOT/path"],
  ["vfs://results", "is not of the form vfs://ROOT/path"],
  ["vfs://{sample_id}/x", "is not of the form vfs://ROOT/path"],
  ["vfs://r/", "has an empty name in its path"],
  ["vfs://r//x", "has an empty name in its path"],
  ["vfs://r/../x", 'has ".." in its path'],
  ["vfs://r/{sample}/x", "cannot have the field {sample}"],
  ["vfs://r/{}", "cannot have the field {}"],
  ["vfs://r/{basename", 'has an unmatched brace in "{basename"'],
  ["vfs://r/a\nb", 'has a slash or control character in the name "a\\nb"'],
];
for (const [text, expected] of CASES)
  test(`fills ${JSON.stringify(text)}: ${expected}`, () => assert.equal(filled(text), expected));

test("values of fields cannot lead to another folder", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["..", /has "\.\." in its path/],
    ["../x", /has a slash/],
    ["a/b", /has a slash/],
    ["", /empty name/],
    ["x".repeat(300), /longer than 255 bytes/],
  ];
  for (const [sample, expected] of cases)
    assert.match(filled("vfs://r/{sample_id}/x", { sample_id: sample }), expected);
  assert.equal(filled("vfs://r/{sample_id}", { sample_id: undefined }), "has no {sample_id}");
  assert.equal(filled("vfs://r/{sample_id}x", { sample_id: ".." }), "r: ..x");
});

test("no values lead out of the folder of a destination", () => {
  const name = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(".", "..", "/", "a/../..", ""));
  const values = fc.record({
    ...{ sample_id: name, basename: name, nameroot: name, nameext: name },
    ...{ output: name, index: name, run_id: name },
  });
  const piece = fc.constantFrom(...SINK_FIELDS.map((field) => `{${field}}`), "a", ".", "/");
  const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => `vfs://root/${pieces.join("")}`);
  fc.assert(
    fc.property(text, values, (written, given) => {
      const template = parseSinkTemplate(written);
      const result = typeof template === "string" ? template : fillSinkTemplate(template, given);
      if (typeof result === "string") return;
      const path = posix.join("/root", ...result.path);
      assert.ok(path.startsWith("/root/"), path);
      assert.equal(path.split("/").length, result.path.length + 2);
      assert.ok(!path.includes("\0"));
    }),
    { numRuns: 300 },
  );
});
