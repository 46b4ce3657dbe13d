import { entryOf, textEntry, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import type { FieldInfo } from "@weft/cwl/document/fields/field-info.ts";
import { fieldsOf } from "./schema.ts";

/** The syntactic position of a node: the enclosing object and its field. */
export interface Cursor {
  /** The kind of the enclosing object, such as `step`; undefined if CWL does not define the object. */
  readonly kind: string | undefined;
  /** The enclosing object. */
  readonly object: YamlNode | undefined;
  /** The field that contains the node; undefined for a key, and for the names in a map of objects. */
  readonly field: string | undefined;
  readonly info: FieldInfo | undefined;
  /** True if the node is a key. */
  readonly isKey: boolean;
}

/** Finds the syntactic position of the node that `matches` accepts. */
export function findCursor(root: YamlNode, matches: (node: YamlNode) => boolean): Cursor | undefined {
  return search(root, { kind: "process", object: root, field: undefined, info: undefined, isKey: false }, matches);
}

function search(node: YamlNode, at: Cursor, matches: (node: YamlNode) => boolean): Cursor | undefined {
  if (matches(node)) return at;
  if (node.kind === "scalar") return undefined;
  if (node.kind === "sequence")
    return first(node.items.map((item) => () => search(item, itemCursor(item, at), matches)));
  const here = objectCursor(node, at);
  return first(
    node.entries.flatMap(({ key, keyNode, value }) => [
      () => (matches(keyNode) ? { ...here, isKey: true } : undefined),
      () => search(value, valueCursor(key, value, here), matches),
    ]),
  );
}

function first<T>(attempts: readonly (() => T | undefined)[]): T | undefined {
  for (const attempt of attempts) {
    const found = attempt();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The cursor within a map: the items of a map of named objects are one level further down. */
function objectCursor(node: YamlNode, at: Cursor): Cursor {
  if (at.info?.isMap === true && at.field !== undefined) return { ...at, object: node };
  const kind = at.field === undefined ? at.kind : at.info?.of;
  return { kind: kindOf(node, kind), object: node, field: undefined, info: undefined, isKey: false };
}

/** The cursor at an item of a list of objects or of a list of values. */
function itemCursor(item: YamlNode, at: Cursor): Cursor {
  if (at.field === "$graph") return { kind: "process", object: item, field: undefined, info: undefined, isKey: false };
  if (at.info?.of === undefined || item.kind !== "mapping") return at;
  return { kind: kindOf(item, at.info.of), object: item, field: undefined, info: undefined, isKey: false };
}

function valueCursor(key: string, value: YamlNode, here: Cursor): Cursor {
  const { info } = here;
  if (here.field !== undefined && info?.isMap === true) return namedCursor(key, value, here, info);
  const found = here.kind === undefined ? undefined : fieldsOf(here.kind).get(key);
  return { ...here, field: key, info: found, isKey: false };
}

/** The cursor at a value in a map of objects: an object, or the value of its most important field. */
function namedCursor(key: string, value: YamlNode, here: Cursor, info: FieldInfo): Cursor {
  const kind = info.of === "requirement" ? key : info.of;
  const object = { kind, object: value, field: undefined, info: undefined, isKey: false };
  if (value.kind === "mapping" || info.predicate === undefined || kind === undefined) return object;
  return { ...object, object: here.object, field: info.predicate, info: fieldsOf(kind).get(info.predicate) };
}

/** The kind of an object. A process or requirement names its kind in `class`. */
function kindOf(node: YamlNode, kind: string | undefined): string | undefined {
  if (kind === "process" || kind === "requirement") {
    const name = textEntry(node, "class");
    return name === undefined || fieldsOf(name).size === 0 ? kind : name;
  }
  if (kind !== "type") return kind;
  const type = node.kind === "mapping" ? entryOf(node, "type")?.value : undefined;
  return type?.kind === "scalar" ? String(type.value) : undefined;
}
