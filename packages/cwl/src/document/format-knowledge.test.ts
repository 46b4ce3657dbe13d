import assert from "node:assert/strict";
import { test } from "node:test";
import { formatKnowledge } from "./format-knowledge.ts";

const namespaces = new Map([["e", "http://e/"]]);
const schemas = [
  { uri: "file:///w/a.ttl", text: "<http://e/fasta> <http://s#subClassOf> <http://e/text> ." },
  { uri: "file:///w/b.ttl", text: "<http://g/fa> <http://o#equivalentClass> <http://e/fasta> ." },
];

const CASES: readonly (readonly [actual: string, expected: string, fits: boolean])[] = [
  ["http://e/fasta", "http://e/text", true],
  ["http://g/fa", "http://e/text", true],
  ["http://e/text", "http://g/fa", false],
];
for (const [actual, expected, fits] of CASES) {
  test(`formatKnowledge ${fits ? "accepts" : "refuses"} ${actual} as ${expected}`, () =>
    assert.equal(formatKnowledge({ namespaces, schemas }).isSubformat(actual, expected), fits));
}

test("formatKnowledge without ontologies contains only prefixes", () => {
  const formats = formatKnowledge({ namespaces, schemas: [] });
  assert.equal(formats.namespaces, namespaces);
  assert.equal(formats.isSubformat("http://e/fasta", "http://e/text"), false);
});
