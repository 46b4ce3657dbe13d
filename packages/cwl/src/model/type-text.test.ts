import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlType } from "./cwl-type.ts";
import { typeText } from "./type-text.ts";

const FILE = { kind: "File" } as const;
const NULL = { kind: "null" } as const;
const SAMPLE: CwlType = {
  kind: "record",
  fields: [{ name: "bam", type: FILE, secondaryFiles: [], streamable: false, loadContents: false }],
};

const CASES: readonly (readonly [string, CwlType])[] = [
  ["File", FILE],
  ["File?", { kind: "union", options: [NULL, FILE] }],
  ["File[]?", { kind: "union", options: [NULL, { kind: "array", items: FILE }] }],
  ["(File?)[]", { kind: "array", items: { kind: "union", options: [NULL, FILE] } }],
  ["int | string", { kind: "union", options: [{ kind: "int" }, { kind: "string" }] }],
  ["null | int | string", { kind: "union", options: [NULL, { kind: "int" }, { kind: "string" }] }],
  ["enum [a, b]", { kind: "enum", symbols: ["a", "b"] }],
  ["record {bam: File}", SAMPLE],
  ["record sample", { ...SAMPLE, name: "sample" }],
];

for (const [expected, type] of CASES) {
  test(`typeText says ${expected}`, () => assert.equal(typeText(type), expected));
}
