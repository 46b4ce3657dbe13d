import type { SourcePosition } from "../../diagnostic.ts";
import { positionOf, type ScalarNode } from "./yaml-node.ts";

/** The position of the character at `index` of a string; for an included string, its position in the included file. */
export function positionInScalar(node: ScalarNode, index: number): SourcePosition {
  if (node.included !== undefined) return node.included.positionAt(index);
  const offset = offsetInScalar(node, index);
  return offset === undefined ? positionOf(node) : node.source.positionAt(offset);
}

/**
 * The source offset of the character at `index` of a string: skips the quotation marks, escapes and indentation that
 * only the source has. Undefined if value and source do not correspond.
 */
export function offsetInScalar(node: ScalarNode, index: number): number | undefined {
  if (typeof node.value !== "string") return undefined;
  const { text } = node.source;
  const quote = quoteOf(text, node);
  let at = node.offset + (quote === undefined ? 0 : 1);
  for (let done = 0; done < index; done++) {
    const found = align(text, at, node.value.charAt(done), quote);
    if (found === undefined) return undefined;
    at = found + writtenLength(text, found, quote);
  }
  return index < node.value.length ? align(text, at, node.value.charAt(index), quote) : at;
}

type Quote = "'" | '"' | undefined;

function quoteOf(text: string, { offset, end }: ScalarNode): Quote {
  const first = text.charAt(offset);
  return (first === "'" || first === '"') && end > offset + 1 && text.charAt(end - 1) === first ? first : undefined;
}

/** The offset of a character of the value: `at`, or the first offset after white space that the value does not have. */
function align(text: string, at: number, character: string, quote: Quote): number | undefined {
  if (isWritten(text, at, character, quote)) return at;
  if (character === " " || character === "\n") return /\s/.test(text.charAt(at)) ? at : undefined;
  let next = at;
  while (/\s/.test(text.charAt(next))) next++;
  return next > at && isWritten(text, next, character, quote) ? next : undefined;
}

function isWritten(text: string, at: number, character: string, quote: Quote): boolean {
  return text.charAt(at) === character || (quote === '"' && text.charAt(at) === "\\");
}

function writtenLength(text: string, at: number, quote: Quote): number {
  if (quote === "'" && text.startsWith("''", at)) return 2;
  if (quote === '"' && text.charAt(at) === "\\") return ESCAPES.get(text.charAt(at + 1)) ?? 2;
  return text.startsWith("\r\n", at) ? 2 : 1;
}

const ESCAPES = new Map([
  ["x", 4],
  ["u", 6],
  ["U", 10],
]);
