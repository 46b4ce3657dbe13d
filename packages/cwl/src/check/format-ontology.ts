/**
 * The relations of file formats in an ontology: subclasses and equal classes. Reads the two formats of
 * such ontologies, RDF/XML and Turtle, but only classes and their relations; ignores everything else. CWL v1.2
 * CommandLineTool.html#File, `format`.
 */
import type { IsSubformat } from "./check-format.ts";

/** Maps a format to its direct superclasses; equivalent formats are superclasses of each other. */
type Relations = Map<string, Set<string>>;

/** Returns a function that compares formats by ontologies, given as texts (`$schemas` of a document). */
export function formatOntology(texts: readonly string[]): IsSubformat {
  const relations: Relations = new Map();
  for (const text of texts) {
    if (/<rdf:RDF[\s>]/.test(text)) readRdfXml(text, relations);
    else readTurtle(text, relations);
  }
  return (actual, expected) => reaches(actual, expected, relations);
}

function reaches(from: string, to: string, relations: Relations): boolean {
  const seen = new Set([from]);
  // The set grows during the loop.
  for (const format of seen) {
    if (format === to) return true;
    for (const wider of relations.get(format) ?? []) seen.add(wider);
  }
  return false;
}

function relate(subject: string, predicate: string, object: string, relations: Relations): void {
  const name = /[#/:]([^#/:]*)$/.exec(predicate)?.[1];
  if (name !== "subClassOf" && name !== "equivalentClass") return;
  add(subject, object, relations);
  if (name === "equivalentClass") add(object, subject, relations);
}

function add(format: string, wider: string, relations: Relations): void {
  const known = relations.get(format);
  if (known === undefined) relations.set(format, new Set([wider]));
  else known.add(wider);
}

/** Reads `<owl:Class rdf:about="A"><rdfs:subClassOf rdf:resource="B"/>`. Ignores deeper elements, which describe blank nodes. */
function readRdfXml(text: string, relations: Relations): void {
  const around: (string | undefined)[] = [];
  for (const [, closing, name = "", attributes = ""] of text.matchAll(/<(\/?)([A-Za-z][\w.-]*:[\w.-]+)([^<>]*)>/g)) {
    if (closing === "/") around.pop();
    else {
      const subject = around.at(-1);
      const object = /rdf:resource\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1];
      if (subject !== undefined && object !== undefined) relate(subject, name, object, relations);
      if (!attributes.endsWith("/")) around.push(/rdf:about\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1]);
    }
  }
}

const TURTLE =
  /#[^\n]*|<([^<>"{}|^`\s]*)>|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|@?[^\s;,.<>"'()[\]]+(?:\.[^\s;,.<>"'()[\]]+)*|[;,.()[\]]/g;

/** Reads `a:b rdfs:subClassOf c:d, <e>; owl:equivalentClass f:g.`. Ignores blank nodes and lists, which have no names. */
function readTurtle(text: string, relations: Relations): void {
  const prefixes = new Map<string, string>();
  for (const statement of turtleStatements(text)) {
    const [first = "", second = "", third = ""] = statement;
    if (/^@?prefix$/i.test(first)) prefixes.set(second, third);
    else
      relateStatement(
        statement.map((term) => expand(term, prefixes)),
        relations,
      );
  }
}

/** Terms by statement, without bracketed parts; IRIs without their angle brackets. */
function* turtleStatements(text: string): Generator<readonly string[]> {
  let terms: string[] = [];
  let depth = 0;
  for (const [token, iri] of text.matchAll(TURTLE)) {
    if (token === "(" || token === "[") depth++;
    else if (token === ")" || token === "]") depth--;
    else if (depth === 0 && token !== "." && !token.startsWith("#")) terms.push(iri ?? token);
    // The `PREFIX` of SPARQL ends without a period.
    const isOver = depth === 0 && (token === "." || (/^prefix$/i.test(terms[0] ?? "") && terms.length === 3));
    if (isOver) {
      yield terms;
      terms = [];
    }
  }
}

function relateStatement([subject = "", ...terms]: readonly string[], relations: Relations): void {
  let predicate: string | undefined;
  for (const term of terms) {
    if (term === ";") predicate = undefined;
    else if (predicate === undefined) predicate = term;
    else if (term !== ",") relate(subject, predicate, term, relations);
  }
}

function expand(term: string, prefixes: ReadonlyMap<string, string>): string {
  const colon = term.indexOf(":");
  const base = colon === -1 ? undefined : prefixes.get(term.slice(0, colon + 1));
  return base === undefined ? term : base + term.slice(colon + 1);
}
