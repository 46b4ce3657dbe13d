import assert from "node:assert/strict";
import { it } from "node:test";
import { deepenReferences } from "./edit-references.ts";

it("adds one level only to references that leave the folder", () => {
  const text = `steps:
  a: # ../ in a comment
    run: ../../tools/a/1.0.0/a.cwl   # stays
    doc: ../../not/a/reference
  b: {run: "../b.cwl", in: []}
  c:
    run: helper.cwl
$schemas: ['../ontology.owl', local.owl]
inputs:
  f:
    default: {class: File, location: ../data/x, path: "a/../b"}
`;
  const expected = `steps:
  a: # ../ in a comment
    run: ../../../tools/a/1.0.0/a.cwl   # stays
    doc: ../../not/a/reference
  b: {run: "../../b.cwl", in: []}
  c:
    run: helper.cwl
$schemas: ['../../ontology.owl', local.owl]
inputs:
  f:
    default: {class: File, location: ../../data/x, path: "a/../b"}
`;
  assert.equal(deepenReferences(text), expected);
  assert.equal(deepenReferences("a: ["), "a: [");
});
