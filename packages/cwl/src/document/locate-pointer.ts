import { parseYaml } from "./yaml/parse-yaml.ts";
import { SourceText } from "./yaml/source-text.ts";
import { entryOf, positionOf, type YamlNode } from "./yaml/yaml-node.ts";

export interface PointerPlace {
  /** Both count from 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

/**
 * Where the value that a JSON pointer (RFC 6901, `/samples/0/bam`) names stands in a YAML or JSON text; where the value
 * is missing, the nearest place around it. Undefined for a text that is no YAML.
 */
export function locatePointer(text: string, pointer: string): PointerPlace | undefined {
  let node = parseYaml(new SourceText("", text)).root;
  if (node === undefined) return undefined;
  for (const segment of pointerSegments(pointer)) {
    const child = childOf(node, segment);
    if (child === undefined) break;
    node = child;
  }
  const { line, column } = positionOf(node);
  return { line, column };
}

function pointerSegments(pointer: string): readonly string[] {
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
