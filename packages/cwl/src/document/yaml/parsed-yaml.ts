import type { Diagnostic } from "../../diagnostic.ts";
import type { YamlNode } from "./yaml-node.ts";

export interface ParsedYaml {
  /** Undefined if the text is no YAML at all, or empty. */
  readonly root: YamlNode | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
