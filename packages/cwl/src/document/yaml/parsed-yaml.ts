import type { Diagnostic } from "../../diagnostic.ts";
import type { YamlNode } from "./yaml-node.ts";

export interface ParsedYaml {
  /** Undefined if the text is empty or not YAML at all. */
  readonly root: YamlNode | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Offsets of lines in flow collections and quoted scalars that are not indented deeper than the enclosing block. */
  readonly loose?: readonly number[];
}
