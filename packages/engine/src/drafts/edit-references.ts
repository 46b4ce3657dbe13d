import { resolveReference, withoutFragment } from "@weft/cwl/document/resolve-reference.ts";
import { parseYaml } from "@weft/cwl/document/yaml/parse-yaml.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";
import type { YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";

/** Fields whose text is a reference. */
export const REFERENCES: ReadonlySet<string> = new Set([
  ...["run", "$import", "$include", "$mixin", "location", "path", "$schemas"],
]);

/** A reference in a text. */
export interface Reference {
  /** The field that it is in. */
  readonly field: string;
  readonly written: string;
  /** Absolute, without its fragment. */
  readonly target: string;
  readonly offset: number;
}

/** All references of a document or input object, in their order. */
export function referencesIn(text: string, uri: string): readonly Reference[] {
  const { root } = parseYaml(new SourceText(uri, text));
  return root === undefined ? [] : [...findReferences(root, undefined, uri)];
}

function* findReferences(node: YamlNode, field: string | undefined, uri: string): Generator<Reference> {
  if (node.kind === "mapping")
    for (const { key, value } of node.entries) yield* findReferences(value, REFERENCES.has(key) ? key : undefined, uri);
  else if (node.kind === "sequence") for (const item of node.items) yield* findReferences(item, field, uri);
  else if (field !== undefined && typeof node.value === "string") {
    const target = resolveReference(node.value, uri);
    const offset = node.source.text.indexOf(node.value, node.offset);
    // What is written with escapes has no offset of its own.
    if (target !== undefined && offset !== -1 && offset < node.end)
      yield { field, written: node.value, target: withoutFragment(target), offset };
  }
}

/** The text with other references; `replace` returns undefined for those that stay. Everything else stays as it is. */
export function editReferences(
  text: string,
  uri: string,
  replace: (reference: Reference) => string | undefined,
): string {
  return referencesIn(text, uri)
    .toReversed()
    .reduce((edited, reference) => {
      const wanted = replace(reference);
      if (wanted === undefined) return edited;
      const { offset, written } = reference;
      return edited.slice(0, offset) + wanted + edited.slice(offset + written.length);
    }, text);
}

/** What a reference says after `#`, with it. */
export function fragmentOf(written: string): string {
  const hash = written.indexOf("#");
  return hash === -1 ? "" : written.slice(hash);
}
