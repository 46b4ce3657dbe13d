/** Moves the lines of entries in block collections, with their comments. */
import { isMap, type Node } from "yaml";
import { isBlockCollection, keyOf, rangeOf } from "./yaml-nodes.ts";
import type { YamlPath, YamlSource } from "./yaml-source.ts";

/**
 * The lines of an entry of a block collection and of the comments directly above it, without indentation. Undefined if the
 * entry shares a line with something else.
 */
export function linesOf(source: YamlSource, path: YamlPath): string | undefined {
  const place = placeOf(source, path);
  if (place === undefined) return undefined;
  const lines = unindented(source.text.slice(place.start, place.end), place.indent);
  return lines.endsWith("\n") ? lines : lines + source.lineEnd;
}

/** Removes the lines of an entry. Returns false and changes nothing if it shares a line or is the only entry. */
export function cutLines(source: YamlSource, path: YamlPath): boolean {
  const parent = source.node(path.slice(0, -1)) ?? null;
  const place = placeOf(source, path);
  if (place === undefined || !isBlockCollection(parent) || parent.items.length === 1) return false;
  source.splice(place.start, place.end, "");
  return true;
}

function placeOf(source: YamlSource, path: YamlPath) {
  const parent = source.node(path.slice(0, -1)) ?? null;
  if (source.isJson || !isBlockCollection(parent)) return undefined;
  const item = isMap(parent)
    ? parent.items.find((pair) => keyOf(pair) === path.at(-1))
    : parent.items[Number(path.at(-1))];
  if (item === undefined) return undefined;
  const first = source.startOfEntry(item);
  const indent = source.columnOf(first);
  if (!/^ *$/.test(source.text.slice(first - indent, first))) return undefined;
  const start = commentsBefore(source.text, first - indent, indent);
  return { start, end: source.endOfEntry(item), indent };
}

/** Puts lines into the empty collection at a path, and indents them. */
export function fillLines(source: YamlSource, path: YamlPath, lines: string): void {
  const key = source.pair(path)?.key as Node | undefined;
  const node = source.node(path);
  if (key === undefined || node === undefined) return;
  const [start, keyEnd] = rangeOf(key);
  const column = source.columnOf(start);
  source.splice(...source.withSpaceBefore(rangeOf(node)), "");
  const at = source.nextLine(source.text.indexOf(":", keyEnd));
  source.insertLines(at, indented(lines, column + 2).trimEnd());
}

/** Indents lines and appends them to a block collection. Returns false for any other node. */
export function appendLines(source: YamlSource, path: YamlPath, lines: string): boolean {
  const node = source.node(path) ?? null;
  if (!isBlockCollection(node)) return false;
  const column = source.columnOf(source.startOfEntry(node.items[0]));
  source.insertLines(source.endOf(node), indented(lines, column).trimEnd());
  return true;
}

/** The offset of the comments directly above a line that have its indentation; without any, the offset of the line. */
function commentsBefore(text: string, lineStart: number, indent: number): number {
  const mark = `${" ".repeat(indent)}#`;
  let start = lineStart;
  while (start > 0) {
    const before = text.lastIndexOf("\n", start - 2) + 1;
    if (!text.startsWith(mark, before)) break;
    start = before;
  }
  return start;
}

function unindented(lines: string, by: number): string {
  return by === 0 ? lines : lines.replaceAll(new RegExp(`^ {1,${by}}`, "gm"), "");
}

function indented(lines: string, by: number): string {
  return lines.replaceAll(/^(?=[^\r\n])/gm, " ".repeat(by));
}
