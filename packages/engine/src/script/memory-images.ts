const PAGE_BYTES = 64 * 1024;
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES);

/** The memory of a WebAssembly program; `buffer` is replaced when it grows. */
export interface ProgramMemory {
  readonly buffer: ArrayBuffer;
}

/** The complete state of a WebAssembly program at one moment. */
export interface MemoryImage {
  readonly parts: readonly Span[];
  /** The size of the copies. */
  readonly sizeBytes: number;
}

interface Span {
  readonly offset: number;
  readonly content: Uint8Array;
}

/**
 * Returns a program to an earlier moment by restoring its memory, which takes microseconds instead of the milliseconds of a
 * new start, and undoes whatever happened in between. Valid only while none of its functions runs.
 *
 * Leaves out two parts: the unused middle of the stack, which is dead between two calls, and everything after the last
 * page that contains data: nothing is allocated there, because the allocator keeps a mark at the end of what it has.
 */
export class MemoryImages {
  readonly #memory: ProgramMemory;
  readonly #stackStart: number;
  readonly #stackEnd: number;

  /** The program must only have been initialized: its longest run of empty pages is the unused stack. */
  constructor(memory: ProgramMemory) {
    this.#memory = memory;
    const bytes = Buffer.from(memory.buffer);
    const { start, end } = longestEmptyRun(bytes, endOfUse(bytes));
    this.#stackStart = start;
    this.#stackEnd = end;
  }

  /** Size of the next image. */
  get sizeBytes(): number {
    return endOfUse(Buffer.from(this.#memory.buffer)) - this.#stackEnd + this.#stackStart;
  }

  take(): MemoryImage {
    const bytes = Buffer.from(this.#memory.buffer);
    const spans = [
      [0, this.#stackStart],
      [this.#stackEnd, endOfUse(bytes)],
    ] as const;
    const parts = spans.map(([from, to]) => ({ offset: from, content: new Uint8Array(bytes.subarray(from, to)) }));
    return { parts, sizeBytes: parts.reduce((sum, { content }) => sum + content.length, 0) };
  }

  restore({ parts }: MemoryImage): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    for (const { offset, content } of parts) bytes.set(content, offset);
  }
}

function endOfUse(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && isEmptyPage(bytes, end - PAGE_BYTES)) end -= PAGE_BYTES;
  return end;
}

function longestEmptyRun(bytes: Buffer, end: number): { readonly start: number; readonly end: number } {
  let longest = { start: 0, end: 0 };
  let start = 0;
  for (let offset = 0; offset <= end; offset += PAGE_BYTES) {
    if (offset < end && isEmptyPage(bytes, offset)) continue;
    if (offset - start > longest.end - longest.start) longest = { start, end: offset };
    start = offset + PAGE_BYTES;
  }
  return longest;
}

function isEmptyPage(bytes: Buffer, offset: number): boolean {
  return bytes.compare(EMPTY_PAGE, 0, PAGE_BYTES, offset, offset + PAGE_BYTES) === 0;
}
