/**
 * The only part of loading a network that does I/O: starts from one document and fetches all documents that it refers to.
 * The rest is pure: it builds the processes from these trees synchronously.
 */
import type { Scope } from "../fields/scope.ts";
import { fragmentOf, identifierUri, resolveReference, withoutFragment } from "../../values/resolve-reference.ts";
import { entryOf, textEntry, type YamlNode } from "../yaml/yaml-node.ts";
import type { DocumentStore } from "./document-store.ts";
import { expandDirectives } from "./expand-directives.ts";

export interface GatheredDocument {
  /** The tree of the document, with its directives expanded. */
  readonly root: YamlNode;
  /** The processes that have an id, by its absolute URI; imported ones also under the URI of this document. */
  readonly processes: ReadonlyMap<string, YamlNode>;
}

/** Documents by URI. Omits unreadable documents; a document that is not YAML is `broken`, and has been reported. */
export type GatheredDocuments = ReadonlyMap<string, GatheredDocument | "broken">;

/** Fetches the document at `uri` and all documents that its steps run, directly or not. */
export async function gatherDocuments(uri: string, store: DocumentStore, scope: Scope): Promise<GatheredDocuments> {
  const gathered = new Map<string, GatheredDocument | "broken">();
  const requested = new Set<string>();
  const waiting = [uri];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const address = withoutFragment(next);
    if (requested.has(address)) continue;
    requested.add(address);
    const tree = await store.readTree(address);
    if (tree === undefined) {
      if (store.isReadable(address)) gathered.set(address, "broken");
      continue;
    }
    const root = await expandDirectives(tree, store, scope);
    const processes = processNodes(root);
    gathered.set(address, { root, processes: new Map(processes.flatMap((process) => withUris(process, address))) });
    waiting.push(...processes.flatMap(runTargets).toReversed());
  }
  return gathered;
}

function withUris(process: YamlNode, address: string): readonly (readonly [string, YamlNode])[] {
  const id = textEntry(process, "id");
  if (id === undefined) return [];
  const uri = identifierUri(id, process.source.uri);
  return [
    [uri, process],
    [`${address}#${fragmentOf(uri)}`, process],
  ];
}

/** Every process of a document: the root or the items of `$graph`, and the inline processes of steps. */
export function processNodes(root: YamlNode): readonly YamlNode[] {
  const graph = root.kind === "mapping" ? entryOf(root, "$graph")?.value : undefined;
  const top = graph?.kind === "sequence" ? graph.items : [root];
  return top.flatMap(withInlineProcesses);
}

function withInlineProcesses(process: YamlNode): readonly YamlNode[] {
  const inline = runNodes(process).filter((run) => run.kind === "mapping");
  return [process, ...inline.flatMap(withInlineProcesses)];
}

function runTargets(process: YamlNode): readonly string[] {
  return runNodes(process).flatMap((run) => {
    const reference = run.kind === "scalar" && typeof run.value === "string" ? run.value : undefined;
    const uri = reference === undefined ? undefined : resolveReference(reference, run.source.uri);
    return uri === undefined ? [] : [uri];
  });
}

function runNodes(process: YamlNode): readonly YamlNode[] {
  if (process.kind !== "mapping" || textEntry(process, "class") !== "Workflow") return [];
  const steps = entryOf(process, "steps")?.value;
  if (steps === undefined || steps.kind === "scalar") return [];
  const items = steps.kind === "sequence" ? steps.items : steps.entries.map(({ value }) => value);
  return items.flatMap((step) => {
    const run = step.kind === "mapping" ? entryOf(step, "run")?.value : undefined;
    return run === undefined ? [] : [run];
  });
}
