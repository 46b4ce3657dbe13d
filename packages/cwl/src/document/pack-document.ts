import type { JsonValue } from "../model/json-value.ts";
import type { LoadedDocument } from "./load-document.ts";
import { jsonObject, unlessEmpty } from "./pack/json-object.ts";
import type { PackScope } from "./pack/pack-scope.ts";
import { packProcess } from "./pack/pack-process.ts";
import { nameProcesses } from "./pack/process-names.ts";
import { relativeReference } from "./resolve-reference.ts";

/**
 * One self-contained JSON document that means the same as what was loaded: a process, or a `$graph` with `#main` where
 * steps refer to other processes. Imports, types and shortcuts are spelled out; prefixes and ontologies stay, because
 * formats of input files may need them. Addresses of files are relative to the root document's folder; keys are in
 * code-unit order. So its text, and a digest of it, does not depend on where the folder lies. Null where nothing could
 * be loaded.
 */
export function packDocument(loaded: LoadedDocument): JsonValue {
  const { process, sources } = loaded;
  const [root] = sources;
  if (process === undefined || root === undefined) return null;
  const names = nameProcesses(process);
  const scope: PackScope = {
    rootUri: root.uri,
    names,
    version: process.cwlVersion,
  };
  const [, ...others] = names;
  const head = { cwlVersion: process.cwlVersion, ...packFormats(loaded, scope) };
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
