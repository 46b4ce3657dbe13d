import { parseYaml } from "@weft/cwl/document/yaml/parse-yaml.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";
import type { YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";

/** Fields whose text is a reference. */
const REFERENCES = new Set(["run", "$import", "$include", "$mixin", "location", "path", "$schemas"]);

/**
 * The text of a document for a folder one level deeper: each reference that leaves the folder climbs one folder higher.
 * Everything else stays as it is written.
 */
export function deepenReferences(text: string): string {
  const { root } = parseYaml(new SourceText("file:///document", text));
  if (root === undefined) return text;
  const places = climbingReferences(root, false).sort((a, b) => b - a);
  return places.reduce((changed, offset) => `${changed.slice(0, offset)}../${changed.slice(offset)}`, text);
}

/** Offsets of `../` at the beginning of references. */
function climbingReferences(node: YamlNode, isReference: boolean): number[] {
  if (node.kind === "mapping")
    return node.entries.flatMap(({ key, value }) => climbingReferences(value, REFERENCES.has(key)));
  if (node.kind === "sequence") return node.items.flatMap((item) => climbingReferences(item, isReference));
  if (!isReference || typeof node.value !== "string" || !node.value.startsWith("../")) return [];
  const offset = node.source.text.indexOf("../", node.offset);
  return offset === -1 || offset >= node.end ? [] : [offset];
}
