import { shortName } from "../../values/resolve-reference.ts";
import { entryOf, positionOf, type MappingEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import { shaped, typeOf } from "./field-info.ts";
import { wrongKind } from "./scalar-readers.ts";
import { report, within, type Reader, type Scope } from "./scope.ts";

/** Reads a list whose items have one kind. Reports wrong items and omits them. */
export function listOf<T, S extends Scope>(readItem: Reader<T, S>): Reader<readonly T[], S> {
  const read: Reader<readonly T[], S> = (node, scope) => {
    if (node.kind !== "sequence") return wrongKind(node, scope, "a list");
    return defined(node.items.map((item, index) => readItem(item, within(scope, String(index)))));
  };
  return shaped({ type: `list of ${typeOf(readItem)}s` }, read);
}

/** Reads one item, or a list of items. */
export function oneOrList<T, S extends Scope>(readItem: Reader<T, S>): Reader<readonly T[], S> {
  const readList = listOf(readItem);
  const read: Reader<readonly T[], S> = (node, scope) =>
    node.kind === "sequence" ? readList(node, scope) : defined([readItem(node, scope)]);
  return shaped({ type: `${typeOf(readItem)} or list` }, read);
}

/** Reads a map, whose fields another reader reads. */
export function mapOf<T, S extends Scope>(
  expected: string,
  read: (node: MappingNode, scope: S) => T | undefined,
): Reader<T, S> {
  return (node, scope) => (node.kind === "mapping" ? read(node, scope) : wrongKind(node, scope, expected));
}

interface MapForm<T, S extends Scope> {
  /** The kind of the items, for editors. */
  readonly of?: string;
  /** Field that takes the map's key: `id`, `class`, `name`. */
  readonly subject: string;
  /** Field that takes a value which is not a map: `type`, `source`. */
  readonly predicate?: string;
  readonly readItem: (node: MappingNode, scope: S) => T | undefined;
}

/**
 * Reads a list of maps, or a map from the items' names to the items. Names must be unique.
 * SchemaSalad.html#Identifier_maps.
 */
export function listOrMap<T, S extends Scope>(form: MapForm<T, S>): Reader<readonly T[], S> {
  const { of = "object", predicate } = form;
  const read: Reader<readonly T[], S> = (node, scope) => {
    if (node.kind === "scalar")
      return wrongKind(node, scope, "a list or a map", node.value === null ? "write `[]` for none" : undefined);
    const items = node.kind === "sequence" ? listItems(node.items, form, scope) : mapItems(node, form, scope);
    if (form.subject !== "class") reportDuplicates(items, form.subject, scope);
    return defined(
      items.map((item, index) => form.readItem(item, within(scope, itemName(item, form.subject) ?? String(index)))),
    );
  };
  const shape = { type: `map or list of ${of}`, of, isMap: true } as const;
  return shaped(predicate === undefined ? shape : { ...shape, predicate }, read);
}

function listItems<T, S extends Scope>(
  nodes: readonly YamlNode[],
  form: MapForm<T, S>,
  scope: S,
): readonly MappingNode[] {
  const { subject } = form;
  return defined(
    nodes.map((node, index) => {
      if (node.kind === "mapping") return node;
      const word = node.kind === "scalar" ? /^[\w-]{1,60}$/.exec(String(node.value))?.[0] : undefined;
      const hint = word === undefined ? undefined : `write \`- ${subject}: ${word}\``;
      return wrongKind(node, within(scope, String(index)), `a map with \`${subject}\``, hint);
    }),
  );
}

function mapItems<T, S extends Scope>(node: MappingNode, form: MapForm<T, S>, scope: S): readonly MappingNode[] {
  return defined(node.entries.map((entry) => mapItem(entry, form, scope)));
}

function mapItem<T, S extends Scope>(
  { key, keyNode, value }: MappingEntry,
  form: MapForm<T, S>,
  scope: S,
): MappingNode | undefined {
  const { subject, predicate } = form;
  const name: MappingEntry = { key: subject, keyNode, value: keyNode };
  const place = { kind: "mapping", source: keyNode.source, offset: keyNode.offset } as const;
  if (value.kind === "mapping")
    return { ...place, entries: [name, ...value.entries.filter((entry) => entry.key !== subject)] };
  if (value.kind === "scalar" && value.value === null) return { ...place, entries: [name] };
  if (predicate === undefined) return wrongKind(value, within(scope, key), "a map");
  return { ...place, entries: [name, { key: predicate, keyNode, value }] };
}

function itemName(item: MappingNode, subject: string): string | undefined {
  const value = entryOf(item, subject)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? shortName(value.value) : undefined;
}

function reportDuplicates(items: readonly MappingNode[], subject: string, scope: Scope): void {
  const seen = new Map<string, MappingNode>();
  for (const item of items) {
    const name = itemName(item, subject);
    if (name === undefined) continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, item);
    else reportTwice(item, name, first, scope);
  }
}

/** Reports the second use of a name that must be unique. */
export function reportTwice(node: YamlNode, name: string, first: YamlNode, scope: Scope): void {
  const message = `duplicate key \`${name}\`; first defined on line ${positionOf(first).line}`;
  report(scope, node, { code: "duplicate-id", message });
}

/** The items that could be read. */
export function defined<T>(items: readonly (T | undefined)[]): readonly T[] {
  return items.filter((item) => item !== undefined);
}
