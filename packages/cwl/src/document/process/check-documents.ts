import { reportTwice } from "../fields/collection-readers.ts";
import { CONTEXT_FIELDS } from "../fields/context-fields.ts";
import { isExtensionField } from "../fields/extension-field.ts";
import { homeHint } from "../fields/field-homes.ts";
import { readFields } from "../fields/read-fields.ts";
import { readNamespaces } from "../fields/read-namespaces.ts";
import { wrongKind } from "../fields/scalar-readers.ts";
import { report, within } from "../fields/scope.ts";
import { fragmentOf, shortName } from "../../values/resolve-reference.ts";
import { entryOf, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "./load-scope.ts";
import { idOf, readReferred } from "./read-document.ts";

/**
 * Checks each document as a whole: it must have a version. If the root is a `$graph`, checks that it is a list of valid
 * processes.
 */
export function checkDocuments(root: YamlNode, scope: LoadScope): void {
  for (const document of scope.documents.values()) if (document !== "broken") checkVersion(document.root, scope);
  const graph = root.kind === "mapping" ? entryOf(root, "$graph")?.value : undefined;
  if (root.kind !== "mapping" || graph === undefined) return;
  reportOutsideGraph(root, { ...scope, namespaces: readNamespaces(root) });
  if (graph.kind !== "sequence") wrongKind(graph, within(scope, "$graph"), "a list of processes");
  else checkGraph(graph.items, root.source.uri, scope);
}

/** The unique fragments that name the processes of a `$graph`. */
export function graphMembers(root: YamlNode): readonly string[] {
  const graph = root.kind === "mapping" ? entryOf(root, "$graph")?.value : undefined;
  const ids = graph?.kind === "sequence" ? graph.items.map(idOf) : [];
  return [...new Set(ids.filter((id) => id !== undefined).map(fragmentOf))];
}

/** Fields next to a `$graph` can only be notes about the document. SchemaSalad.html#Document_graph. */
function reportOutsideGraph(root: MappingNode, scope: LoadScope): void {
  const known = root.entries.filter(({ key }) => Object.hasOwn(CONTEXT_FIELDS, key));
  readFields({ ...root, entries: known }, CONTEXT_FIELDS, scope);
  const others = root.entries.filter(({ key }) => !known.some((entry) => entry.key === key) && !GRAPH.has(key));
  for (const entry of others.filter((other) => !isExtensionField(other, scope))) {
    const message = `\`${entry.key}\` next to \`$graph\` is ignored`;
    const hint = homeHint(entry.key) ?? "it belongs to one of the processes in `$graph`";
    report(scope, entry.keyNode, { severity: "warning", code: "ignored-field", message, hint });
  }
}

const GRAPH = new Set(["$graph", "cwlVersion", "id"]);

function checkGraph(processes: readonly YamlNode[], documentUri: string, scope: LoadScope): void {
  const inGraph = within(scope, "$graph");
  const seen = new Map<string, YamlNode>();
  for (const process of processes) {
    const id = idOf(process);
    if (id === undefined) {
      report(inGraph, process, { code: "missing-field", message: "a process of a `$graph` needs an `id`" });
      continue;
    }
    const first = seen.get(id);
    if (first === undefined) seen.set(id, process);
    else reportTwice(process, shortName(id), first, inGraph);
    readReferred(`${documentUri}#${fragmentOf(id)}`, process, scope);
  }
}

function checkVersion(document: YamlNode, scope: LoadScope): void {
  if (document.kind !== "mapping" || entryOf(document, "cwlVersion") !== undefined) return;
  const hint = "add `cwlVersion: v1.2`";
  report(scope, document, {
    code: "missing-field",
    message: "the field `cwlVersion` is missing",
    hint,
  });
}
