import type { Process } from "../../model/process.ts";
import type { Scope } from "../fields/scope.ts";
import type { GatheredDocuments } from "../gather/gather-documents.ts";
import type { TypeDefinitions } from "../gather/type-definitions.ts";
import type { MappingNode, YamlNode } from "../yaml/yaml-node.ts";

/** The scope of readers of processes, with the other documents and the enclosing process. */
export interface LoadScope extends Scope {
  readonly documents: GatheredDocuments;
  readonly types: TypeDefinitions;
  /** Processes built so far, by URI: a process that several steps run is built and checked once. */
  readonly built: Map<string, Process | undefined>;
  /** URIs of the enclosing processes, outermost first. */
  readonly trail: readonly string[];
  /** Absolute URI of the enclosing process. */
  readonly processUri: string;
  /** Reads the process of a step; passed as a parameter because the readers of processes and steps need each other. */
  readonly processes: ProcessSource;
}

export interface ProcessSource {
  /** The process at an absolute URI, as a node of the document refers to it. */
  readonly at: (uri: string, referrer: YamlNode, scope: LoadScope) => Process | undefined;
  /** An inline process. */
  readonly inline: (node: MappingNode, identity: ProcessIdentity, scope: LoadScope) => Process | undefined;
}

/** The URI and name of a process without an `id`. */
export interface ProcessIdentity {
  readonly uri: string;
  readonly name: string;
}
