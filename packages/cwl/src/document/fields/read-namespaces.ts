import { entryOf, type YamlNode } from "../yaml/yaml-node.ts";

/** `$namespaces` of a document or process: prefix to IRI. CWL v1.2 CommandLineTool.html#Extensions_and_metadata. */
export function readNamespaces(node: YamlNode): ReadonlyMap<string, string> {
  const namespaces = new Map<string, string>();
  const declared = node.kind === "mapping" ? entryOf(node, "$namespaces")?.value : undefined;
  if (declared?.kind !== "mapping") return namespaces;
  for (const { key, value } of declared.entries) {
    if (value.kind === "scalar" && typeof value.value === "string") namespaces.set(key, value.value);
  }
  return namespaces;
}
