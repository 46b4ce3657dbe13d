import { entryOf, type YamlNode } from "./yaml-node.ts";

/** The node that a JSON pointer (RFC 6901) names below a node; if it is missing, the nearest enclosing one. */
export function nodeAtPointer(root: YamlNode, pointer: string): YamlNode {
  let node = root;
  for (const segment of pointerSegments(pointer)) {
    const child = childOf(node, segment);
    if (child === undefined) break;
    node = child;
  }
  return node;
}

/** The member names of a JSON pointer: `/a~1b/0` has `a/b` and `0`. */
export function pointerSegments(pointer: string): readonly string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function childOf(node: YamlNode, segment: string): YamlNode | undefined {
  switch (node.kind) {
    case "scalar":
      return undefined;
    case "sequence":
      return /^\d+$/.test(segment) ? node.items[Number(segment)] : undefined;
    case "mapping":
      return entryOf(node, segment)?.value;
  }
}
