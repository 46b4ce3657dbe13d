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
 * The position, in a YAML or JSON text, of the value that a JSON pointer (RFC 6901, `/samples/0/bam`) names; if the
 * value is missing, the nearest enclosing position. Undefined for a text that is not YAML.
 */
export function locatePointer(text: string, pointer: string): PointerPlace | undefined {
  const { root } = parseYaml(new SourceText("", text));
  if (root === undefined) return undefined;
  const { line, column } = positionOf(nodeAtPointer(root, pointer));
  return { line, column };
}
