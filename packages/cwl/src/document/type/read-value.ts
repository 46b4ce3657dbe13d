import { checkValue, type ValueLimits } from "../../values/checked-value.ts";
import type { CwlValue } from "../../model/cwl-value.ts";
import { shaped } from "../fields/field-info.ts";
import { readingNull } from "../fields/read-fields.ts";
import { report, type Reader, type Scope } from "../fields/scope.ts";
import { resolveFileValue } from "../../values/resolve-file-value.ts";
import { MAX_DEPTH } from "../yaml/yaml-limits.ts";
import { nodeAtPointer } from "../yaml/node-at-pointer.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";

/** The parser has already limited the number of values; no file system accepts longer names. */
const LIMITS: ValueLimits = { valueItems: Number.POSITIVE_INFINITY, valueDepth: MAX_DEPTH, nameBytes: 255 };

export const DEFAULT = { doc: "The value if none is given.", type: "any value" };

/**
 * A value as written in a document: `default`, an entry of an input object. Locations of Files and Directories in it
 * become absolute URIs. CWL v1.2 CommandLineTool.html#File.
 */
export const readValue: Reader<CwlValue> = shaped(
  DEFAULT,
  readingNull((node: YamlNode, scope: Scope): CwlValue => {
    const { value, problems } = checkValue(resolveNode(node, scope), LIMITS);
    for (const { pointer, message, hint } of problems)
      report(scope, nodeAtPointer(node, pointer), { code: "invalid-file", message, hint });
    return value;
  }),
);

function resolveNode(node: YamlNode, scope: Scope): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "sequence":
      return node.items.map((item) => resolveNode(item, scope));
    case "mapping": {
      const value: { [key: string]: unknown } = Object.create(null);
      for (const entry of node.entries) value[entry.key] = resolveNode(entry.value, scope);
      const resolved = resolveFileValue(value, { baseUri: node.source.uri, namespaces: scope.namespaces });
      if (resolved.problem !== undefined) report(scope, node, { code: "invalid-file", message: resolved.problem });
      return resolved.value;
    }
  }
}
