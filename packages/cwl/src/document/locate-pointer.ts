import { nodeAtPointer } from "./yaml/node-at-pointer.ts";
import { parseYaml } from "./yaml/parse-yaml.ts";
import { SourceText } from "./yaml/source-text.ts";
import { positionOf } from "./yaml/yaml-node.ts";

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
  const { root } = parseYaml(new SourceText("", text));
  if (root === undefined) return undefined;
  const { line, column } = positionOf(nodeAtPointer(root, pointer));
  return { line, column };
}
