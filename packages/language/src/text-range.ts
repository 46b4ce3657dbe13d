import { offsetInScalar } from "@weft/cwl/document/yaml/offset-in-scalar.ts";
import type { ScalarNode } from "@weft/cwl/document/yaml/yaml-node.ts";

/** Line and column from 0, columns in UTF-16 code units, as editors count. */
export interface EditorPosition {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly uri: string;
  readonly start: EditorPosition;
  readonly end: EditorPosition;
}

export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** The range of `length` characters from `index` in the value of a scalar; undefined if its source does not contain them. */
export function rangeInScalar(node: ScalarNode, index: number, length: number): TextRange | undefined {
  const { source, included } = node;
  if (included !== undefined)
    return { uri: included.uri, start: editorPosition(included, index), end: editorPosition(included, index + length) };
  const start = offsetInScalar(node, index);
  const last = length === 0 ? start : offsetInScalar(node, index + length - 1);
  if (start === undefined || last === undefined) return undefined;
  const end = length === 0 ? start : last + 1;
  return { uri: source.uri, start: editorPosition(source, start), end: editorPosition(source, end) };
}

/** The range of the last `length` characters of a scalar. */
export function rangeAtEnd(node: ScalarNode, length: number): TextRange | undefined {
  const text = String(node.value);
  return rangeInScalar(typeof node.value === "string" ? node : { ...node, value: text }, text.length - length, length);
}

export function editorPosition(source: ScalarNode["source"], offset: number): EditorPosition {
  const { line, column } = source.positionAt(offset);
  return { line: line - 1, character: column - 1 };
}

/** The offset of a position. A position beyond the end of its line means the end of the line. */
export function offsetAt(text: string, { line, character }: EditorPosition): number {
  let start = 0;
  for (let number = 0; number < line; number++) {
    const end = text.indexOf("\n", start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + character, end === -1 ? text.length : end);
}

export function isWithin({ start, end }: TextRange, position: EditorPosition): boolean {
  return compare(start, position) <= 0 && compare(position, end) <= 0;
}

function compare(left: EditorPosition, right: EditorPosition): number {
  return left.line - right.line || left.character - right.character;
}
