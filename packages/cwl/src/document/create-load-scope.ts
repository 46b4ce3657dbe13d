import type { Scope } from "./fields/scope.ts";
import type { GatheredDocuments } from "./gather/gather-documents.ts";
import { TypeDefinitions } from "./gather/type-definitions.ts";
import type { LoadScope } from "./process/load-scope.ts";
import { PROCESS_SOURCE } from "./process/read-document.ts";

/** The scope at the root of a document, without declarations and diagnostics; v1.2 until the document declares a version. */
export function createRootScope(): Scope {
  return { place: "", depth: 0, version: "v1.2", namespaces: new Map(), diagnostics: [], nodes: new WeakMap() };
}

/** The scope in which the processes of the gathered documents are read; `uri` is the root document. */
export function createLoadScope(scope: Scope, uri: string, documents: GatheredDocuments): LoadScope {
  return {
    ...scope,
    documents,
    types: new TypeDefinitions(documents),
    built: new Map(),
    trail: [],
    processUri: uri,
    processes: PROCESS_SOURCE,
  };
}
