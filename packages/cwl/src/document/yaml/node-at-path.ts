import { entryOf, type YamlNode } from "./yaml-node.ts";

/**
 * The node at a path of field names and list indexes. CWL permits a single item in place of a list and a string in place
 * of a map, so segments that do not apply to a node are skipped.
 */
export function nodeAtPath(node: YamlNode, path: readonly (string | number)[]): YamlNode | undefined {
  let current: YamlNode | undefined = node;
  for (const segment of path) {
    if (current === undefined) return undefined;
    current = step(current, segment);
  }
  return current;
}

function step(node: YamlNode, segment: string | number): YamlNode | undefined {
  if (typeof segment === "number") return node.kind === "sequence" ? node.items[segment] : node;
  return node.kind === "mapping" ? entryOf(node, segment)?.value : node;
}
