import type { Diagnostic } from "../diagnostic.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { Requirement } from "../model/requirement.ts";
import { createLoadScope, createRootScope } from "./create-load-scope.ts";
import type { DocumentReader, LoadedSource } from "./document-reader.ts";
import { report, within } from "./fields/scope.ts";
import { wrongKind } from "./fields/scalar-readers.ts";
import { DocumentStore } from "./gather/document-store.ts";
import { expandDirectives } from "./gather/expand-directives.ts";
import type { LoadScope } from "./process/load-scope.ts";
import { readNamespaces } from "./fields/read-namespaces.ts";
import { readRequirements } from "./requirement/read-requirement.ts";
import { readValue } from "./type/read-value.ts";
import { unreadable } from "./unreadable.ts";
import { withoutFragment } from "./resolve-reference.ts";
import type { MappingNode } from "./yaml/yaml-node.ts";

export interface LoadedInputObject {
  readonly values: CwlObject;
  /** `cwl:requirements`, which count like the process's own. CWL v1.2 CommandLineTool.html#Requirements_and_hints. */
  readonly requirements: readonly Requirement[];
  /** `cwl:tool`: the process that the inputs are meant for, as written. */
  readonly tool?: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly LoadedSource[];
}

/**
 * Loads an input object (YAML or JSON) from an absolute URI. Locations of Files and Directories become absolute URIs,
 * `path` becomes `location`, imports are followed. Whatever is wrong is a diagnostic.
 */
export async function loadInputObject(
  uri: string,
  options: { readonly reader: DocumentReader },
): Promise<LoadedInputObject> {
  const store = new DocumentStore(options.reader);
  const outer = createRootScope();
  const tree = await store.readTree(uri);
  if (tree === undefined) return { ...EMPTY, diagnostics: whyNothing(uri, store), sources: store.sources };
  const root = await expandDirectives(tree, store, outer);
  const scope = { ...createLoadScope(outer, uri, new Map()), namespaces: readNamespaces(tree) };
  const read = root.kind === "mapping" ? readEntries(root, scope) : EMPTY;
  if (root.kind !== "mapping") wrongKind(root, scope, "a map from input names to values");
  return { ...read, diagnostics: [...store.diagnostics, ...scope.diagnostics], sources: store.sources };
}

/** What the prefix `cwl:` stands for. */
const CWL = "https://w3id.org/cwl/cwl#";

const EMPTY = { values: {}, requirements: [] };

/** A file without any content gives no inputs, and nothing is wrong with that. */
function whyNothing(uri: string, store: DocumentStore): readonly Diagnostic[] {
  if (!store.isReadable(uri)) return [unreadable(withoutFragment(uri))];
  return store.diagnostics.filter(({ code }) => code !== "empty-document");
}

function readEntries(root: MappingNode, scope: LoadScope) {
  const values: { [name: string]: CwlValue } = Object.create(null);
  let requirements: readonly Requirement[] = [];
  for (const { key, value } of root.entries) {
    const inner = within(scope, key);
    if (key === "cwl:requirements" || key === `${CWL}requirements`) requirements = readRequirements(value, inner) ?? [];
    else if (!isDirective(key)) values[key] = readValue(value, inner) ?? null;
  }
  const tool = root.entries.find(({ key }) => key === "cwl:tool" || key === `${CWL}tool`)?.value;
  if (tool === undefined) return { values, requirements };
  if (tool.kind === "scalar" && typeof tool.value === "string") return { values, requirements, tool: tool.value };
  report(scope, tool, { code: "wrong-kind", message: "`cwl:tool` must name a process" });
  return { values, requirements };
}

function isDirective(key: string): boolean {
  return key === "$namespaces" || key === "$schemas" || key === "$base" || key === "cwl:tool" || key === `${CWL}tool`;
}
