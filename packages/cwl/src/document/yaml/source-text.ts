import type { SourcePosition } from "../../diagnostic.ts";

/** A text and its URI; converts offsets into lines and columns on demand. */
export class SourceText {
  readonly uri: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;
  #mayImport: boolean | undefined;

  constructor(uri: string, text: string) {
    this.uri = uri;
    this.text = text;
  }

  /** False if the text certainly contains no directive that includes another file. */
  get mayImport(): boolean {
    this.#mayImport ??= /\$(import|include|mixin)/.test(this.text);
    return this.#mayImport;
  }

  /** The position of a UTF-16 offset; lines and columns count from 1. */
  positionAt(offset: number): SourcePosition {
    this.#lineStarts ??= findLineStarts(this.text);
    const line = lastIndexNotAfter(this.#lineStarts, offset);
    return { file: this.uri, line: line + 1, column: offset - (this.#lineStarts[line] ?? 0) + 1 };
  }
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

function lastIndexNotAfter(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
