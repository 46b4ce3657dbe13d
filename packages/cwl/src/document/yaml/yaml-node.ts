import type { SourcePosition } from "../../diagnostic.ts";
import type { SourceText } from "./source-text.ts";

/**
 * A parsed YAML or JSON document. Every node knows its own source, because `$import` puts nodes of one file into
 * another: messages and relative references belong to the file in which a node was written.
 */
export type YamlNode = ScalarNode | SequenceNode | MappingNode;

/** A `bigint` is a whole number that a number cannot represent exactly. */
export type ScalarValue = string | number | bigint | boolean | null;

interface NodePlace {
  readonly source: SourceText;
  /** UTF-16 offset in the source's text. */
  readonly offset: number;
}

export interface ScalarNode extends NodePlace {
  readonly kind: "scalar";
  readonly value: ScalarValue;
  /** Offset after the last character, quotation marks included. */
  readonly end: number;
  /** The file whose content is the value, if `$include` included one. */
  readonly included?: SourceText;
}

export interface SequenceNode extends NodePlace {
  readonly kind: "sequence";
  readonly items: readonly YamlNode[];
}

export interface MappingNode extends NodePlace {
  readonly kind: "mapping";
  /** The entries in document order, with unique keys. */
  readonly entries: readonly MappingEntry[];
}

export interface MappingEntry {
  readonly key: string;
  readonly keyNode: ScalarNode;
  readonly value: YamlNode;
}

/** The position at which a node starts. */
export function positionOf(node: YamlNode): SourcePosition {
  return node.source.positionAt(node.offset);
}

/** The entry of a key; undefined if the mapping has none. */
export function entryOf(node: MappingNode, key: string): MappingEntry | undefined {
  return node.entries.find((entry) => entry.key === key);
}

/** The string value of a key; undefined if the key is missing or its value is not a string. */
export function textEntry(node: YamlNode, key: string): string | undefined {
  if (node.kind !== "mapping") return undefined;
  const value = entryOf(node, key)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

/** A number as its file spells it: `007`, `1.10`, `1e5`; undefined for other nodes. */
export function writtenNumber(node: YamlNode): string | undefined {
  if (node.kind !== "scalar" || (typeof node.value !== "number" && typeof node.value !== "bigint")) return undefined;
  return node.source.text.slice(node.offset, node.end);
}

/** Description of a node for messages: `the number 3`, `a list`. */
export function describeNode(node: YamlNode): string {
  if (node.kind === "sequence") return "a list";
  if (node.kind === "mapping") return "a map";
  if (node.value === null) return "nothing";
  if (typeof node.value === "string") return `the text ${quoteShort(node.value)}`;
  return typeof node.value === "boolean" ? `the boolean ${node.value}` : `the number ${writtenNumber(node)}`;
}

function quoteShort(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
