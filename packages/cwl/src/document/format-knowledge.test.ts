import assert from "node:assert/strict";
import { test } from "node:test";
import { formatKnowledge } from "./format-knowledge.ts";

const OWL = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="r" xmlns:owl="o" xmlns:rdfs="s">
  <!-- a comment -->
  <owl:Class rdf:about="http://e/fasta">
    <rdfs:subClassOf rdf:resource="http://e/sequence"/>
    <rdfs:subClassOf><owl:Restriction><owl:someValuesFrom rdf:resource="http://e/not"/></owl:Restriction></rdfs:subClassOf>
    <rdfs:label>FASTA</rdfs:label>
  </owl:Class>
  <owl:Class rdf:about="http://e/sequence"><rdfs:subClassOf rdf:resource="http://e/text"></rdfs:subClassOf></owl:Class>
</rdf:RDF>`;
const TURTLE = `@prefix gx: <http://g/> . # Galaxy's
PREFIX owl: <http://www.w3.org/2002/07/owl#>
@prefix rdfs: <http://s#> .
gx:fa a owl:Class ; rdfs:label "fa; http://e/text ." ; owl:equivalentClass <http://e/fasta> .
gx:fa.gz rdfs:subClassOf gx:fa , [ rdfs:subClassOf gx:hidden ] , gx:gz .`;
const namespaces = new Map([["e", "http://e/"]]);
const schemas = [
  { uri: "file:///w/a.owl", text: OWL },
  { uri: "file:///w/b.ttl", text: TURTLE },
];
const { isSubformat } = formatKnowledge({ namespaces, schemas });

const CASES: readonly (readonly [actual: string, expected: string, fits: boolean])[] = [
  ["http://e/fasta", "http://e/fasta", true],
  ["http://e/fasta", "http://e/sequence", true],
  ["http://e/fasta", "http://e/text", true],
  ["http://e/text", "http://e/fasta", false],
  ["http://e/fasta", "http://e/not", false],
  ["http://g/fa", "http://e/fasta", true],
  ["http://e/fasta", "http://g/fa", true],
  ["http://g/fa", "http://e/text", true],
  ["http://g/fa.gz", "http://e/text", true],
  ["http://g/fa.gz", "http://g/gz", true],
  ["http://g/fa.gz", "http://g/hidden", false],
  ["http://e/unknown", "http://e/text", false],
];
for (const [actual, expected, fits] of CASES) {
  test(`${actual} is ${fits ? "" : "not "}a ${expected}`, () => assert.equal(isSubformat(actual, expected), fits));
}

test("formatKnowledge without ontologies contains only prefixes", () => {
  const formats = formatKnowledge({ namespaces, schemas: [] });
  assert.equal(formats.namespaces, namespaces);
  assert.equal(formats.isSubformat("http://e/fasta", "http://e/text"), false);
});
