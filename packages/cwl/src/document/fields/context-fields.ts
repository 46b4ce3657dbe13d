import { optional } from "./read-fields.ts";
import { anything, wrongKind } from "./scalar-readers.ts";
import { report, within, type Reader } from "./scope.ts";

const namespaces: Reader<undefined> = (node, scope) => {
  if (node.kind !== "mapping") return wrongKind(node, scope, "a map from prefixes to addresses");
  for (const { key, value } of node.entries) {
    const isText = value.kind === "scalar" && typeof value.value === "string";
    if (!isText) wrongKind(value, within(scope, key), "the address that the prefix stands for");
  }
  return undefined;
};

/** References are always relative to the file that contains them, so that documents can move between machines. */
const base: Reader<undefined> = (node, scope) => {
  const message = "`$base` is ignored: references are relative to this file";
  return report(scope, node, { severity: "warning", code: "ignored-field", message });
};

/** The fields that say how to interpret a document's names. SchemaSalad.html#Explicit_context. */
export const CONTEXT_FIELDS = {
  $namespaces: optional(namespaces, "Prefixes for the terms of other vocabularies.", { type: "map" }),
  $schemas: optional(anything, "Ontologies that explain the terms, such as the formats of files.", {
    type: "list of files",
  }),
  $base: optional(base, "Has no effect: references are relative to the file."),
};
