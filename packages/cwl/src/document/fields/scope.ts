import type { Diagnostic, Severity } from "../../diagnostic.ts";
import { isSinceVersion, type CwlVersion } from "../../model/cwl-version.ts";
import { positionOf, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";

/** The position of a reader in a document, and the settings that apply there. */
export interface Scope {
  /** Path of field names from the root (`steps.smooth.in`), empty at the root. */
  readonly place: string;
  /** Levels of nesting so far, including references to other processes and types. */
  readonly depth: number;
  readonly version: CwlVersion;
  /** `$namespaces` of the document: prefix to IRI. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** Collects all problems. */
  readonly diagnostics: Diagnostic[];
  /** The nodes that parts of the model were read from, so that later checks can point at their fields. */
  readonly nodes: WeakMap<object, MappingNode>;
}

/** Turns a node into a value. Returns undefined if this fails, and reports why. */
export type Reader<T, S extends Scope = Scope> = (node: YamlNode, scope: S) => T | undefined;

/** The scope of a field or item within this one. */
export function within<S extends Scope>(scope: S, segment: string): S {
  const place = scope.place === "" ? segment : `${scope.place}.${segment}`;
  return { ...scope, place, depth: scope.depth + 1 };
}

/** Limits the recursion of readers, which references could otherwise drive into a stack overflow. */
const MAX_READING_DEPTH = 256;

/** True if the nesting limit is exceeded, which is reported once per path. */
export function isTooDeep(scope: Scope, node: YamlNode): boolean {
  if (scope.depth <= MAX_READING_DEPTH) return false;
  report(scope, node, { code: "nesting-limit", message: "processes or types are nested too deeply" });
  return true;
}

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly severity?: Severity;
}

/** Records a problem at a node; the message is preceded by the scope's path. Returns undefined, as readers do. */
export function report(scope: Scope, node: YamlNode, finding: Finding): undefined {
  const { severity = "error", code, message, hint } = finding;
  const text = scope.place === "" ? message : `${scope.place}: ${message}`;
  const diagnostic = { severity, code, message: text, ...positionOf(node) };
  scope.diagnostics.push(hint === undefined ? diagnostic : { ...diagnostic, hint });
  return undefined;
}

/** True if the document is written for `version` or a newer version. */
export function isSince(scope: Scope, version: CwlVersion): boolean {
  return isSinceVersion(scope.version, version);
}

/** Remembers the node that a part of the model was read from; returns the part. */
export function readFrom<T extends object>(node: MappingNode, part: T, { nodes }: Pick<Scope, "nodes">): T {
  nodes.set(part, node);
  return part;
}
