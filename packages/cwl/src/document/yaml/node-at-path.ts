import { entryOf, type YamlNode } from "./yaml-node.ts";

/**
 * The node that fields and positions in lists lead to. One thing may be written without the list around it, and a text
 * without the map around it, so what does not apply is skipped.
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
