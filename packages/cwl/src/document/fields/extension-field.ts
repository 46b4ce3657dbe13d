import type { MappingEntry } from "../yaml/yaml-node.ts";
import { report, type Scope } from "./scope.ts";

/**
 * True for a field of another vocabulary, by prefix (`s:author`) or IRI; such fields are ignored.
 * CWL v1.2 CommandLineTool.html#Extensions_and_metadata.
 */
export function isExtensionField(entry: MappingEntry, scope: Scope): boolean {
  const colon = entry.key.indexOf(":");
  if (colon === -1) return false;
  const prefix = entry.key.slice(0, colon);
  if (!scope.namespaces.has(prefix) && !entry.key.startsWith(`${prefix}://`)) {
    const message = `the prefix of \`${entry.key}\` is not declared`;
    report(scope, entry.keyNode, {
      severity: "warning",
      code: "undeclared-prefix",
      message,
      hint: `add \`${prefix}\` to $namespaces`,
    });
  }
  return true;
}

/** Spells out a prefixed name by the document's `$namespaces`: `edam:format_2330` becomes its IRI. */
export function expandPrefix(name: string, scope: Scope): string {
  const colon = name.indexOf(":");
  const namespace = colon === -1 ? undefined : scope.namespaces.get(name.slice(0, colon));
  return namespace === undefined ? name : namespace + name.slice(colon + 1);
}
