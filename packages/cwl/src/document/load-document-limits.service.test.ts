/** Documents without an end: loading them has one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "./load-document.ts";
import { readerOfTexts } from "./testing/reader-of-texts.ts";
import type { Texts } from "./testing/reader-of-texts.ts";
import { WORKFLOW, change, withTypes } from "./testing/reported-problems.ts";

const chainOf = (length: number, link: (level: number) => string) => Array.from({ length }, (_, level) => link(level));
const twoOf = (level: number) => (level === 0 ? "{a: int}" : `{a: T${level - 1}, b: T${level - 1}}`);
const oneOf = (level: number) => (level === 999 ? "{a: int}" : `{a: T${level + 1}}`);
const typeList = (types: readonly string[]) =>
  withTypes(`[${types.map((fields, level) => `{name: T${level}, type: record, fields: ${fields}}`).join(", ")}]`);

const ENDLESS: readonly (readonly [string, string, Texts])[] = [
  ["types that double thirty times", "type-limit", typeList(chainOf(30, twoOf))],
  ["a thousand types inside each other", "nesting-limit", typeList(chainOf(1000, oneOf))],
  [
    "a thousand networks inside each other",
    "nesting-limit",
    Object.fromEntries(
      chainOf(1000, (level) => change(WORKFLOW, "t.cwl", `${level + 1}.cwl`)).map((text, level) => [
        level === 0 ? "a.cwl" : `${level}.cwl`,
        text,
      ]),
    ),
  ],
];

for (const [name, code, files] of ENDLESS) {
  test(`loadDocument ends with ${name}`, async () => {
    const { diagnostics } = await loadDocument("file:///w/a.cwl", { reader: readerOfTexts(files) });
    assert.ok(diagnostics.some((diagnostic) => diagnostic.code === code));
  });
}
