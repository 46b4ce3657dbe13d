import type { Process } from "../../model/process.ts";
import { reportTwice } from "../fields/collection-readers.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { CONTEXT_FIELDS } from "../fields/context-fields.ts";
import { anything, wrongKind } from "../fields/scalar-readers.ts";
import { isTooDeep, report, within } from "../fields/scope.ts";
import { suggestionHint } from "../fields/suggest.ts";
import type { GatheredDocument } from "../gather/gather-documents.ts";
import { fragmentOf, identifierUri, shortName, withoutFragment } from "../resolve-reference.ts";
import { entryOf, textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity, ProcessSource } from "./load-scope.ts";
import { readNamespaces } from "../fields/read-namespaces.ts";
import { readProcess, readVersion } from "./read-process.ts";

/** How steps get what they run: by reference, each target read once, or in place. */
export const PROCESS_SOURCE: ProcessSource = {
  at: readReferred,
  inline: (node, identity, scope) => readProcess(node, identity, scope),
};

/** The process that a step of another one refers to. */
function readReferred(uri: string, referrer: YamlNode, scope: LoadScope): Process | undefined {
  const address = withoutFragment(uri);
  const document = scope.documents.get(address);
  if (document === "broken") return undefined;
  if (document !== undefined) return readDocumentProcess(document, uri, { node: referrer, scope });
  return report(scope, referrer, { code: "unreadable", message: `nothing readable at ${address}` });
}

/** Who asked for a process: complaints that it does not exist belong there. */
interface Referrer {
  readonly node: YamlNode;
  readonly scope: LoadScope;
}

/** The process of a document that a URI selects: by `#id`, else the only one, else `#main`. Each is read once. */
export function readDocumentProcess(document: GatheredDocument, uri: string, referrer: Referrer): Process | undefined {
  const { scope } = referrer;
  const { root } = document;
  if (root.kind !== "mapping") {
    return wrongKind(root, { ...scope, place: "" }, "a process: a map with `class` or `$graph`");
  }
  const node = selectProcess(document, uri, referrer);
  if (node === undefined) return undefined;
  const key = idOf(node) ?? withoutFragment(uri);
  if (scope.trail.includes(key)) return reportRecursion(key, referrer);
  if (isTooDeep(scope, referrer.node)) return undefined;
  if (!scope.built.has(key)) scope.built.set(key, readSelected(node, root, key, scope));
  return scope.built.get(key);
}

function reportRecursion(uri: string, { node, scope }: Referrer): undefined {
  const names = [...scope.trail.slice(scope.trail.indexOf(uri)), uri].map(nameOf);
  return report(scope, node, {
    code: "recursive-run",
    message: `\`${nameOf(uri)}\` runs itself: ${names.join(" -> ")}`,
  });
}

function readSelected(node: YamlNode, document: MappingNode, uri: string, scope: LoadScope): Process | undefined {
  const outer = { ...scope, place: "" };
  const version = node === document ? outer.version : readVersion(document, outer);
  if (version === undefined) return undefined;
  const place = node === document ? "" : shortName(textEntry(node, "id") ?? "");
  const namespaces = readNamespaces(document);
  return readProcess(node, identityFor(uri), {
    ...outer,
    version,
    namespaces,
    place,
    trail: [...scope.trail, uri],
  });
}

function selectProcess({ root, processes }: GatheredDocument, uri: string, referrer: Referrer): YamlNode | undefined {
  const fragment = fragmentOf(uri);
  const graph = root.kind === "mapping" ? entryOf(root, "$graph")?.value : undefined;
  const isRoot = fragment === "" || (fragment === "main" && textEntry(root, "id") === undefined);
  if (graph === undefined && isRoot) return root;
  const only = graph?.kind === "sequence" && graph.items.length === 1 ? graph.items[0] : undefined;
  if (fragment === "" && only !== undefined) return only;
  const wanted = fragment === "" ? `${uri}#main` : uri;
  return processes.get(wanted) ?? reportNotFound(wanted, processes, referrer);
}

function reportNotFound(uri: string, processes: ReadonlyMap<string, YamlNode>, { node, scope }: Referrer): undefined {
  const message = `${withoutFragment(uri)} has no process \`#${fragmentOf(uri)}\``;
  const hint = suggestionHint(fragmentOf(uri), [...processes.keys()].map(fragmentOf));
  return report(scope, node, { code: "unknown-reference", message, hint });
}

function idOf(node: YamlNode): string | undefined {
  const id = textEntry(node, "id");
  return id === undefined ? undefined : identifierUri(id, node.source.uri);
}

function identityFor(uri: string): ProcessIdentity {
  return { uri, name: nameOf(uri) };
}

/** The last part of the fragment, else the file's name without ending. */
function nameOf(uri: string): string {
  if (fragmentOf(uri) !== "") return shortName(uri);
  const file = uri.slice(uri.lastIndexOf("/") + 1);
  return decodeName(file.replace(/\.[^.]*$/, ""));
}

/** A query's value is decoded without complaint, whatever stands in it. */
function decodeName(name: string): string {
  const query = name.replaceAll("&", "%26").replaceAll("+", "%2B");
  return new URLSearchParams(`name=${query}`).get("name") ?? name;
}

const GRAPH = {
  $graph: required(anything),
  cwlVersion: required(anything),
  ...CONTEXT_FIELDS,
  id: optional(anything),
};

/** Checks what the root document itself must have: a version, and in a `$graph` a list of processes that are all sound. */
export function checkRoot(document: YamlNode, scope: LoadScope): void {
  if (document.kind !== "mapping") return;
  const graph = entryOf(document, "$graph")?.value;
  if (graph === undefined) return checkVersion(document, scope);
  readFields(document, GRAPH, { ...scope, namespaces: readNamespaces(document) });
  if (graph.kind !== "sequence") wrongKind(graph, within(scope, "$graph"), "a list of processes");
  else checkGraph(graph.items, scope);
}

function checkGraph(processes: readonly YamlNode[], scope: LoadScope): void {
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
    readReferred(id, process, scope);
  }
}

function checkVersion(document: MappingNode, scope: LoadScope): void {
  if (entryOf(document, "cwlVersion") !== undefined) return;
  const hint = "add `cwlVersion: v1.2`";
  report(scope, document, {
    code: "missing-field",
    message: "the field `cwlVersion` is missing",
    hint,
  });
}
