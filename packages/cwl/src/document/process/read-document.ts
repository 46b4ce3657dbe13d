import type { Process } from "../../model/process.ts";
import { wrongKind } from "../fields/scalar-readers.ts";
import { isTooDeep, report } from "../fields/scope.ts";
import { suggestionHint } from "../../suggest.ts";
import type { GatheredDocument } from "../gather/gather-documents.ts";
import { fragmentOf, identifierUri, shortName, withoutFragment } from "../../values/resolve-reference.ts";
import { entryOf, textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity, ProcessSource } from "./load-scope.ts";
import { readNamespaces } from "../fields/read-namespaces.ts";
import { readProcess, readVersion } from "./read-process.ts";

/** Reads the processes of steps: inline processes, and referenced ones, each only once. */
export const PROCESS_SOURCE: ProcessSource = {
  at: readReferred,
  inline: (node, identity, scope) => readProcess(node, inlineIdentity(node, identity), scope),
};

/**
 * The identity of an inline process: a plain `id` is relative to the enclosing step; other steps may use it too.
 * SchemaSalad.html#Identifier_resolution.
 */
function inlineIdentity(node: MappingNode, { uri, name }: ProcessIdentity): ProcessIdentity {
  const id = textEntry(node, "id");
  if (id === undefined) return { uri, name };
  const isPlain = !/[#:]/.test(id);
  return { uri: isPlain ? `${uri}/${id}` : identifierUri(id, node.source.uri), name: shortName(id) };
}

/** The process that a step of another process refers to. */
export function readReferred(uri: string, referrer: YamlNode, scope: LoadScope): Process | undefined {
  const address = withoutFragment(uri);
  const document = scope.documents.get(address);
  if (document === "broken") return undefined;
  if (document !== undefined) return readDocumentProcess(document, uri, { node: referrer, scope });
  return report(scope, referrer, { code: "unreadable", message: `cannot read ${address}` });
}

/** The node that refers to a process, at which a diagnostic about a missing process points. */
interface Referrer {
  readonly node: YamlNode;
  readonly scope: LoadScope;
}

/** The process that a URI selects in a document: by `#id`, otherwise the only process, otherwise `#main`. Read once. */
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
  const target = fragment === "" ? `${withoutFragment(uri)}#main` : uri;
  return processes.get(target) ?? reportNotFound(uri, processes, referrer);
}

/** The code for a `$graph` without `#main`: a library of processes is valid, but only one of its processes can run. */
export const NO_MAIN = "no-main";

function reportNotFound(uri: string, processes: ReadonlyMap<string, YamlNode>, { node, scope }: Referrer): undefined {
  const names = [...new Set([...processes.keys()].map(fragmentOf))];
  if (fragmentOf(uri) === "" && names.length > 0) {
    const message = `${withoutFragment(uri)} has several processes and none is called \`#main\``;
    return report(scope, node, {
      code: NO_MAIN,
      message,
      hint: `name one: ${names.map((name) => `#${name}`).join(", ")}`,
    });
  }
  const message = `${withoutFragment(uri)} has no process \`#${fragmentOf(uri)}\``;
  const hint = suggestionHint(fragmentOf(uri), names);
  return report(scope, node, { code: "unknown-reference", message, hint });
}

export function idOf(node: YamlNode): string | undefined {
  const id = textEntry(node, "id");
  return id === undefined ? undefined : identifierUri(id, node.source.uri);
}

function identityFor(uri: string): ProcessIdentity {
  return { uri, name: nameOf(uri) };
}

/** The last part of the fragment, else the file's name without its extension. */
function nameOf(uri: string): string {
  if (fragmentOf(uri) !== "") return shortName(uri);
  const file = uri.slice(uri.lastIndexOf("/") + 1);
  return decodeName(file.replace(/\.[^.]*$/, ""));
}

/** Decodes percent escapes. `URLSearchParams` is used because it never throws. */
function decodeName(name: string): string {
  const query = name.replaceAll("&", "%26").replaceAll("+", "%2B");
  return new URLSearchParams(`name=${query}`).get("name") ?? name;
}
