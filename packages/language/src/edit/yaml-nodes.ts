import { isMap, isPair, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";

/** Plain data to write into a YAML text. */
export type YamlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

/** Keys in CWL are strings. */
export function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

export function isBlockCollection(node: Node | null): node is YAMLMap | YAMLSeq {
  return (isMap(node) || isSeq(node)) && node.flow !== true && node.items.length > 0;
}

export function isBlock(value: YamlValue): value is { readonly [key: string]: YamlValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** Start and end offsets of a node, without the comments after it. */
export function rangeOf(node: Node | null | undefined): readonly [number, number] {
  const [start = 0, end = 0] = node?.range ?? [];
  return [start, end];
}

export function lastEnd(node: Node | null): number {
  if (!isBlockCollection(node)) return rangeOf(node)[1];
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return lastEnd(last as Node);
  const value = last.value as Node | null;
  return isAbsent(value) ? rangeOf(last.key as Node)[1] : lastEnd(value);
}

/** True for the value of a key that nothing follows. */
export function isAbsent(value: Node | null): boolean {
  return value === null || (isScalar(value) && rangeOf(value)[0] === rangeOf(value)[1]);
}
