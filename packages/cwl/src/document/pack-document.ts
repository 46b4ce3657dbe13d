import type { JsonValue } from "../model/json-value.ts";
import type { LoadedDocument } from "./load-document.ts";
import { jsonObject, unlessEmpty } from "./pack/json-object.ts";
import type { PackScope } from "./pack/pack-scope.ts";
import { packProcess } from "./pack/pack-process.ts";
import { relativeReference } from "../values/resolve-reference.ts";
import { isSinceVersion, type CwlVersion } from "../model/cwl-version.ts";
import type { Process } from "../model/process.ts";

/**
 * Packs a loaded document into one self-contained JSON document with the same meaning: a process, or a `$graph` with
 * `#main` if steps refer to other processes. Expands imports, types and shortcuts; keeps prefixes and ontologies, because
 * formats of input files may need them. All processes get the newest of their versions. Locations of files are relative
 * to the root document's folder, and keys are in code-unit order, so that the text and its digest do not depend on where
 * the folder is. Null if nothing could be loaded.
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
 * The ids of processes in the `$graph`, in the order of first reference: the root is `main`, and other processes keep their
 * names. If two have the same name, a number before it distinguishes them (`2/align`).
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
