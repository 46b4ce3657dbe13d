import type { Diagnostic } from "../diagnostic.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { RequirementOverrides } from "../model/override-requirements.ts";
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
import { resolveReference, withoutFragment } from "../values/resolve-reference.ts";
import { entryOf, type MappingNode, type YamlNode } from "./yaml/yaml-node.ts";

export interface LoadedInputObject {
  readonly values: CwlObject;
  /** `cwl:requirements`, which apply like the process's own. CWL v1.2 CommandLineTool.html#Requirements_and_hints. */
  readonly requirements: readonly Requirement[];
  /** `cwltool:overrides`: requirements for processes and steps, whose references are resolved. */
  readonly overrides: RequirementOverrides;
  /** `cwl:tool`: the process that the inputs are meant for, as written. */
  readonly tool?: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly LoadedSource[];
}

/**
 * Loads an input object (YAML or JSON) from an absolute URI. Locations of Files and Directories become absolute URIs,
 * `path` becomes `location`, and imports are followed. Problems are diagnostics, never exceptions.
 */
export async function loadInputObject(
  uri: string,
  options: { readonly reader: DocumentReader },
): Promise<LoadedInputObject> {
  const store = new DocumentStore(options.reader);
  const outer = createRootScope();
  const tree = await store.readTree(uri);
  if (tree === undefined) return { ...EMPTY, diagnostics: emptyDocumentProblems(uri, store), sources: store.sources };
  const root = await expandDirectives(tree, store, outer);
  const scope = { ...createLoadScope(outer, uri, new Map()), namespaces: readNamespaces(tree) };
  const read = root.kind === "mapping" ? readInputEntries(root, scope) : EMPTY;
  if (root.kind !== "mapping") wrongKind(root, scope, "a map from input names to values");
  return { ...read, diagnostics: [...store.diagnostics, ...scope.diagnostics], sources: store.sources };
}

/** The IRI of the prefix `cwl:`. */
const CWL = "https://w3id.org/cwl/cwl#";

/** The IRI of the prefix `cwltool:`. */
const CWLTOOL = "http://commonwl.org/cwltool#";

const EMPTY = { values: {}, requirements: [], overrides: new Map() };

/** An empty file is valid and has no inputs. */
function emptyDocumentProblems(uri: string, store: DocumentStore): readonly Diagnostic[] {
  if (!store.isReadable(uri)) return [unreadable(withoutFragment(uri))];
  return store.diagnostics.filter(({ code }) => code !== "empty-document");
}

/** The values and requirements of an input object as it was parsed. */
export function readInputEntries(root: MappingNode, scope: LoadScope) {
  const values: { [name: string]: CwlValue } = Object.create(null);
  let requirements: readonly Requirement[] = [];
  let overrides: RequirementOverrides = new Map();
  for (const { key, value } of root.entries) {
    const inner = within(scope, key);
    if (key === "cwl:requirements" || key === `${CWL}requirements`) requirements = readRequirements(value, inner) ?? [];
    else if (key === "cwltool:overrides" || key === `${CWLTOOL}overrides`) overrides = readOverrides(value, inner);
    else if (!isDirective(key)) values[key] = readValue(value, inner) ?? null;
  }
  const tool = root.entries.find(({ key }) => key === "cwl:tool" || key === `${CWL}tool`)?.value;
  const read = { values, requirements, overrides };
  if (tool === undefined) return read;
  if (tool.kind === "scalar" && typeof tool.value === "string") return { ...read, tool: tool.value };
  report(scope, tool, { code: "wrong-kind", message: "`cwl:tool` must name a process" });
  return read;
}

/** Reads a map from references, relative to the input object, to `requirements`. */
function readOverrides(node: YamlNode, scope: LoadScope): RequirementOverrides {
  if (node.kind !== "mapping") {
    wrongKind(node, scope, "a map from processes to their requirements");
    return new Map();
  }
  return new Map(node.entries.flatMap(({ key, value }) => readOverride(key, value, within(scope, key))));
}

function readOverride(key: string, node: YamlNode, scope: LoadScope): readonly [string, readonly Requirement[]][] {
  const uri = resolveReference(key, node.source.uri);
  const list = node.kind === "mapping" ? entryOf(node, "requirements")?.value : undefined;
  if (list === undefined || uri === undefined) wrongKind(node, scope, "a map with `requirements`");
  return list === undefined || uri === undefined ? [] : [[uri, readRequirements(list, scope) ?? []]];
}

function isDirective(key: string): boolean {
  return key === "$namespaces" || key === "$schemas" || key === "$base" || key === "cwl:tool" || key === `${CWL}tool`;
}
