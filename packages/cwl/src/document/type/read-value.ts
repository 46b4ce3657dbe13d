import type { CwlValue } from "../../model/cwl-value.ts";
import { readingNull } from "../fields/read-fields.ts";
import { report, type Reader, type Scope } from "../fields/scope.ts";
import { resolveFileValue } from "../resolve-file-value.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";

/**
 * A value as it stands in a document: `default`, an entry of an input object. Locations of Files and Directories in it
 * become absolute URIs. CWL v1.2 CommandLineTool.html#File.
 */
export const readValue: Reader<CwlValue> = readingNull((node: YamlNode, scope: Scope): CwlValue => {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "sequence":
      return node.items.map((item) => readValue(item, scope) ?? null);
    case "mapping": {
      const value: { [key: string]: CwlValue } = Object.create(null);
      for (const entry of node.entries) value[entry.key] = readValue(entry.value, scope) ?? null;
      const resolved = resolveFileValue(value, {
        baseUri: node.source.uri,
        namespaces: scope.namespaces,
      });
      if (resolved.problem !== undefined) report(scope, node, { code: "invalid-file", message: resolved.problem });
      return resolved.value;
    }
  }
});
