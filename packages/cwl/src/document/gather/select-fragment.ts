import { identifierUri, withoutFragment } from "../resolve-reference.ts";
import { textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";

/**
 * The object of a document whose `id` or `name` resolves to the URI, however deep it stands: packed documents import
 * parameters and types of their own other parts. SchemaSalad.html#Identifier_resolution.
 */
export function selectFragment(root: YamlNode, uri: string): YamlNode | undefined {
  let index = INDEXES.get(root);
  if (index === undefined) {
    index = new Map();
    addObjects(root, "", index);
    INDEXES.set(root, index);
  }
  return index.get(uri);
}

/** A packed document may import thousands of its own parts. */
const INDEXES = new WeakMap<YamlNode, Map<string, MappingNode>>();

/** `scope` is the identifier of the object around, empty at the root; the first object of a name counts. */
function addObjects(node: YamlNode, scope: string, index: Map<string, MappingNode>): void {
  if (node.kind === "scalar") return;
  if (node.kind === "sequence") {
    for (const item of node.items) addObjects(item, scope, index);
    return;
  }
  const uris = identifiers(node, scope);
  for (const uri of uris) if (!index.has(uri)) index.set(uri, node);
  for (const { value } of node.entries) addObjects(value, uris[0] ?? scope, index);
}

/** The identifier below that of the object around, and the one that counts from the document's root. */
function identifiers(node: MappingNode, scope: string): readonly string[] {
  const identifier = textEntry(node, "id") ?? textEntry(node, "name");
  if (identifier === undefined) return [];
  const own = identifierUri(identifier, node.source.uri);
  const isBelow = scope.startsWith(`${withoutFragment(own)}#`) && !identifier.includes("#");
  return isBelow ? [`${scope}/${identifier}`, own] : [own];
}
