/** A block of a log, consisting of whole lines. */
export interface LogBlock {
  readonly firstLine: number;
  readonly lines: number;
  readonly from: number;
  /** Exclusive end. */
  readonly to: number;
}

const BLOCK_LINES = 256;
const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 10;

/**
 * An index of the line starts of a log: one entry per 256 lines or 256 KiB, so a million lines need about four thousand
 * entries. Line numbers start at 0; text after the last line break counts as a line if it is not empty.
 */
export class LineIndex {
  readonly #markLines: number[] = [0];
  readonly #markBytes: number[];
  #bytes: number;
  #ended = 0;
  #lastLineAt: number;

  /** Offset at which the index starts: 0, or the start of the displayed part of a very large log. */
  constructor(from = 0) {
    this.#bytes = from;
    this.#lastLineAt = from;
    this.#markBytes = [from];
  }

  /** Number of indexed bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get lines(): number {
    return this.#ended + (this.#bytes > this.#lastLineAt ? 1 : 0);
  }

  append(chunk: Uint8Array): void {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1))
      this.#endLine(this.#bytes + at + 1);
    this.#bytes += chunk.length;
  }

  #endLine(next: number): void {
    this.#ended += 1;
    this.#lastLineAt = next;
    const isFull =
      this.#ended - (this.#markLines.at(-1) ?? 0) >= BLOCK_LINES || next - (this.#markBytes.at(-1) ?? 0) >= BLOCK_BYTES;
    if (!isFull) return;
    this.#markLines.push(this.#ended);
    this.#markBytes.push(next);
  }

  /** The block that contains a line. */
  blockOf(line: number): LogBlock {
    const place = this.#markLines.findLastIndex((first) => first <= line);
    const firstLine = this.#markLines[place] ?? 0;
    return {
      firstLine,
      lines: (this.#markLines[place + 1] ?? this.lines) - firstLine,
      from: this.#markBytes[place] ?? 0,
      to: this.#markBytes[place + 1] ?? this.#bytes,
    };
  }
}
