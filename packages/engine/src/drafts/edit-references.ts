import { resolveReference, withoutFragment } from "@weft/cwl/values/resolve-reference.ts";
import { parseYaml } from "@weft/cwl/document/yaml/parse-yaml.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";
import type { YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";

/** Fields whose values are references. */
const REFERENCES: ReadonlySet<string> = new Set([
  ...["run", "$import", "$include", "$mixin", "location", "path", "$schemas"],
]);

/** A reference in a document. */
export interface Reference {
  /** The field that contains it. */
  readonly field: string;
  readonly written: string;
  /** Absolute, without its fragment. */
  readonly target: string;
  readonly offset: number;
}

/** All references of a document or input object, in their order. */
export function referencesIn(text: string, uri: string): readonly Reference[] {
  const { root } = parseYaml(new SourceText(uri, text));
  return root === undefined ? [] : [...findReferences(root, undefined, { uri, isDocument: isDocument(root) })];
}

/** Fields whose values can name a type of another file: `shapes.yml#shape[]?`. */
const TYPES: ReadonlySet<string> = new Set(["type", "items"]);
/** Fields whose entries can be types: `inputs: {x: shapes.yml#shape}`. */
const TYPED: ReadonlySet<string> = new Set(["inputs", "outputs", "fields"]);
const TYPE_REFERENCE = /^[^#\s]+#[^#\s]+$/;

interface Finding {
  readonly uri: string;
  /** False for tests and examples, in which strings below `inputs` are values. */
  readonly isDocument: boolean;
}

function isDocument(root: YamlNode): boolean {
  return root.kind === "mapping" && root.entries.some(({ key }) => key === "class" || key === "$graph");
}

function fieldOf(key: string, around: string | undefined, { isDocument: isType }: Finding): string | undefined {
  if (REFERENCES.has(key)) return key;
  if (TYPES.has(key)) return "type";
  if (TYPED.has(key)) return isType || key === "fields" ? "types" : undefined;
  return around === "types" ? "type" : undefined;
}

function* findReferences(node: YamlNode, field: string | undefined, finding: Finding): Generator<Reference> {
  const { uri } = finding;
  if (node.kind === "mapping")
    for (const { key, value } of node.entries) yield* findReferences(value, fieldOf(key, field, finding), finding);
  else if (node.kind === "sequence")
    for (const item of node.items) yield* findReferences(item, field === "types" ? undefined : field, finding);
  else if (field !== undefined && field !== "types" && typeof node.value === "string") {
    if (field === "type" && !TYPE_REFERENCE.test(node.value)) return;
    const target = resolveReference(node.value, uri);
    const offset = node.source.text.indexOf(node.value, node.offset);
    // A string with escapes has no exact offset.
    if (target !== undefined && offset !== -1 && offset < node.end)
      yield { field, written: node.value, target: withoutFragment(target), offset };
  }
}

/**
 * Replaces references in a text; `replace` returns undefined for references that stay. Everything else stays unchanged.
 */
export function editReferences(
  text: string,
  uri: string,
  replace: (reference: Reference) => string | undefined,
): string {
  return referencesIn(text, uri)
    .toReversed()
    .reduce((edited, reference) => {
      const replacement = replace(reference);
      if (replacement === undefined) return edited;
      const { offset, written } = reference;
      return edited.slice(0, offset) + replacement + edited.slice(offset + written.length);
    }, text);
}

/**
 * Adapts a document to a folder one level deeper: each reference that leaves the folder gets one more `../`. Everything
 * else stays unchanged.
 */
export function deepenReferences(text: string): string {
  return editReferences(text, "file:///outer/folder/document", ({ written }) =>
    written.startsWith("../") ? `../${written}` : undefined,
  );
}

/** The fragment of a reference, with its `#`. */
export function fragmentOf(written: string): string {
  const hash = written.indexOf("#");
  return hash === -1 ? "" : written.slice(hash);
}
