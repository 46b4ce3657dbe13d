/**
 * Replaces `$import`, `$include` and `$mixin` with the content that they refer to, before a document is read.
 * SchemaSalad.html#Document_preprocessing.
 */
import { report, within, type Scope } from "../fields/scope.ts";
import { fragmentOf, resolveReference, identifierUri, withoutFragment } from "../../values/resolve-reference.ts";
import { MAX_COPIED_NODES } from "../yaml/yaml-limits.ts";
import { entryOf, textEntry, type MappingNode, type SequenceNode, type YamlNode } from "../yaml/yaml-node.ts";
import type { DocumentStore } from "./document-store.ts";

const MAX_IMPORT_DEPTH = 16;

/** The tree with every directive replaced; a directive that fails is reported and left out. */
export async function expandDirectives(node: YamlNode, store: DocumentStore, scope: Scope): Promise<YamlNode> {
  return (await new Expansion(store).expand(node, { scope, trail: [node.source.uri] })) ?? node;
}

interface Position {
  readonly scope: Scope;
  /** URIs whose import led here, outermost first. */
  readonly trail: readonly string[];
}

class Expansion {
  readonly #store: DocumentStore;
  #imported = 0;

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  /** Undefined if a directive failed. */
  async expand(node: YamlNode, position: Position): Promise<YamlNode | undefined> {
    if (position.trail.length > 1) this.#imported++;
    if (node.kind === "scalar" || !node.source.mayImport) return node;
    if (node.kind === "sequence") return this.#expandSequence(node, position);
    if (entryOf(node, "$import") !== undefined) return this.#import(node, position);
    if (entryOf(node, "$include") !== undefined) return this.#include(node, position);
    if (entryOf(node, "$mixin") !== undefined) return this.#mix(node, position);
    return this.#expandMapping(node, position);
  }

  async #expandMapping(node: MappingNode, position: Position): Promise<MappingNode> {
    const entries = [];
    for (const entry of node.entries) {
      const value = await this.expand(entry.value, {
        ...position,
        scope: within(position.scope, entry.key),
      });
      if (value !== undefined) entries.push({ ...entry, value });
    }
    return { ...node, entries };
  }

  /** The items of a list that is imported into a list replace the import. */
  async #expandSequence(node: SequenceNode, position: Position): Promise<SequenceNode> {
    const items = [];
    for (const [index, item] of node.items.entries()) {
      const value = await this.expand(item, {
        ...position,
        scope: within(position.scope, String(index)),
      });
      const isSpliced = value?.kind === "sequence" && item.kind === "mapping";
      if (value !== undefined) items.push(...(isSpliced ? value.items : [value]));
    }
    return { ...node, items };
  }

  async #import(node: MappingNode, position: Position): Promise<YamlNode | undefined> {
    const uri = this.#target(node, "$import", position.scope);
    if (uri === undefined) return undefined;
    const { scope, trail } = position;
    if (trail.includes(uri)) return report(scope, node, { code: "import-cycle", message: `${uri} imports itself` });
    if (trail.length > MAX_IMPORT_DEPTH || this.#imported > MAX_COPIED_NODES) {
      return report(scope, node, {
        code: "import-limit",
        message: "the imports are nested too deeply or add too many nodes",
      });
    }
    const root = await this.#store.readTree(uri);
    if (root === undefined) return this.#unreadable(node, uri, scope);
    const target = fragmentOf(uri) === "" ? root : selectFragment(root, uri);
    if (target === undefined)
      return report(scope, node, { code: "unknown-reference", message: `nothing is named ${uri}` });
    return this.expand(target, { scope, trail: [...trail, uri] });
  }

  async #include(node: MappingNode, { scope }: Position): Promise<YamlNode | undefined> {
    const uri = this.#target(node, "$include", scope);
    if (uri === undefined) return undefined;
    const source = await this.#store.readText(uri);
    if (source === undefined) return this.#unreadable(node, uri, scope);
    const { offset } = node;
    return { kind: "scalar", source: node.source, offset, end: offset, value: source.text, included: source };
  }

  /** The imported map, with its fields replaced by the siblings of `$mixin`. */
  async #mix(node: MappingNode, position: Position): Promise<YamlNode | undefined> {
    const uri = this.#target(node, "$mixin", position.scope);
    if (uri === undefined) return undefined;
    const directive = node.entries.filter(({ key }) => key === "$mixin").map((entry) => ({ ...entry, key: "$import" }));
    const mixin = await this.#import({ ...node, entries: directive }, position);
    if (mixin === undefined) return undefined;
    if (mixin.kind !== "mapping")
      return report(position.scope, node, {
        code: "wrong-kind",
        message: `${uri} is not a map, so it cannot be mixed in`,
      });
    const own = await this.#expandMapping(
      { ...node, entries: node.entries.filter(({ key }) => key !== "$mixin") },
      position,
    );
    const kept = mixin.entries.filter(({ key }) => entryOf(own, key) === undefined);
    return { ...node, entries: [...own.entries, ...kept] };
  }

  #target(node: MappingNode, directive: string, scope: Scope): string | undefined {
    const reference = textEntry(node, directive);
    const uri = reference === undefined ? undefined : resolveReference(reference, node.source.uri);
    const extra = node.entries.find(({ key }) => key !== directive);
    if (extra !== undefined && directive !== "$mixin") {
      return report(scope, extra.keyNode, {
        code: "unknown-field",
        message: `\`${extra.key}\` is not allowed next to ${directive}`,
      });
    }
    return uri ?? report(scope, node, { code: "wrong-kind", message: `${directive} must name a file` });
  }

  #unreadable(node: MappingNode, uri: string, scope: Scope): undefined {
    if (this.#store.isReadable(uri)) return undefined;
    return report(scope, node, { code: "unreadable", message: `cannot read ${uri}` });
  }
}

/**
 * The object of a document whose `id` or `name` resolves to the URI, at any depth: packed documents import parameters
 * and types from other parts of themselves. SchemaSalad.html#Identifier_resolution.
 */
function selectFragment(root: YamlNode, uri: string): YamlNode | undefined {
  let index = INDEXES.get(root);
  if (index === undefined) {
    index = new Map();
    addObjects(root, "", index);
    INDEXES.set(root, index);
  }
  return index.get(uri);
}

/** A packed document may import thousands of its own parts. */
const INDEXES = new WeakMap<YamlNode, Map<string, MappingNode>>();

/** `scope` is the identifier of the enclosing object, empty at the root. If several objects have one name, the first is used. */
function addObjects(node: YamlNode, scope: string, index: Map<string, MappingNode>): void {
  if (node.kind === "scalar") return;
  if (node.kind === "sequence") {
    for (const item of node.items) addObjects(item, scope, index);
    return;
  }
  const uris = identifiers(node, scope);
  for (const uri of uris) if (!index.has(uri)) index.set(uri, node);
  for (const { value } of node.entries) addObjects(value, uris[0] ?? scope, index);
}

/** The identifiers of an object: below the enclosing object, and below the document's root. */
function identifiers(node: MappingNode, scope: string): readonly string[] {
  const identifier = textEntry(node, "id") ?? textEntry(node, "name");
  if (identifier === undefined) return [];
  const own = identifierUri(identifier, node.source.uri);
  const isBelow = scope.startsWith(`${withoutFragment(own)}#`) && !identifier.includes("#");
  return isBelow ? [`${scope}/${identifier}`, own] : [own];
}
