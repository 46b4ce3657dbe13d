import assert from "node:assert/strict";
import { test } from "node:test";
import { either, list, of, record } from "../testing/arbitrary-type.ts";
import type { CwlType } from "./cwl-type.ts";
import { typeText } from "./type-text.ts";

const SAMPLE = record({ bam: of("File") });

const CASES: readonly (readonly [string, CwlType])[] = [
  ["File", of("File")],
  ["File?", either(of("null"), of("File"))],
  ["File[]?", either(of("null"), list(of("File")))],
  ["(File?)[]", list(either(of("null"), of("File")))],
  ["int | string", either(of("int"), of("string"))],
  ["null | int | string", either(of("null"), of("int"), of("string"))],
  ["enum [a, b]", { kind: "enum", symbols: ["a", "b"] }],
  ["record {bam: File}", SAMPLE],
  ["record sample", { ...SAMPLE, name: "sample" }],
];

for (const [expected, type] of CASES) {
  test(`typeText says ${expected}`, () => assert.equal(typeText(type), expected));
}
