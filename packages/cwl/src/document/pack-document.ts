import type { JsonValue } from "../model/json-value.ts";
import type { LoadedDocument } from "./load-document.ts";
import { jsonObject, unlessEmpty } from "./pack/json-object.ts";
import type { PackScope } from "./pack/pack-scope.ts";
import { packProcess } from "./pack/pack-process.ts";
import { relativeReference } from "./resolve-reference.ts";
import { isSinceVersion, type CwlVersion } from "../model/cwl-version.ts";
import type { Process } from "../model/process.ts";

/**
 * One self-contained JSON document that means the same as what was loaded: a process, or a `$graph` with `#main` where
 * steps refer to other processes. Imports, types and shortcuts are spelled out; prefixes and ontologies stay, because
 * formats of input files may need them. All processes get the newest of their versions. Addresses of files are
 * relative to the root document's folder, and keys are in code-unit order, so that neither its text nor a digest of it
 * depends on where the folder is. Null if nothing could be loaded.
 */
export function packDocument(loaded: LoadedDocument): JsonValue {
  const { process, sources } = loaded;
  const [root] = sources;
  if (process === undefined || root === undefined) return null;
  const names = nameProcesses(process);
  const scope: PackScope = {
    rootUri: root.uri,
    names,
    version: newestVersion(process),
    types: "input",
  };
  const [, ...others] = names;
  const head = { cwlVersion: scope.version, ...packFormats(loaded, scope) };
  if (others.length === 0) return jsonObject({ ...head, ...packProcess(process, process.name, scope) });
  const graph = [...names].map(([member, id]) => packProcess(member, id, scope));
  return jsonObject({ ...head, $graph: graph });
}

function packFormats({ namespaces, schemas }: LoadedDocument, { rootUri }: PackScope) {
  return {
    $namespaces: namespaces.size === 0 ? undefined : jsonObject(Object.fromEntries(namespaces)),
    $schemas: unlessEmpty(schemas.map(({ uri }) => relativeReference(uri, rootUri))),
  };
}

/**
 * The processes of a packed document that others refer to, with their ids: the root is `main`, the others keep their
 * names; if two share one, a scope before it (`2/align`) distinguishes them. In the order of first reference.
 */
function nameProcesses(root: Process): ReadonlyMap<Process, string> {
  const names = new Map<Process, string>([[root, "main"]]);
  const taken = new Map<string, number>([["main", 1]]);
  visitReferred(root, new Set(), (process) => {
    if (names.has(process)) return;
    const count = (taken.get(process.name) ?? 0) + 1;
    taken.set(process.name, count);
    names.set(process, count === 1 ? process.name : `${count}/${process.name}`);
  });
  return names;
}

function newestVersion(root: Process): CwlVersion {
  let newest = root.cwlVersion;
  const visited = new Set<Process>();
  const visit = (process: Process): void => {
    if (visited.has(process)) return;
    visited.add(process);
    if (isSinceVersion(process.cwlVersion, newest)) newest = process.cwlVersion;
    if (process.class === "Workflow") for (const { run } of process.steps) visit(run);
  };
  visit(root);
  return newest;
}

function visitReferred(process: Process, visited: Set<Process>, visit: (process: Process) => void): void {
  if (process.class !== "Workflow" || visited.has(process)) return;
  visited.add(process);
  for (const { run, runReference } of process.steps) {
    if (runReference !== undefined) visit(run);
    visitReferred(run, visited, visit);
  }
}
