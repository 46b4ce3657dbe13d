const PAGE_BYTES = 64 * 1024;
/** What the interpreter is compiled to begin with. */
const LEAST_PAGES = 256;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
type WasmMemoryClass = new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory;

// Node has WebAssembly; TypeScript declares it for browsers only.
const { Memory } = (globalThis as unknown as { WebAssembly: { readonly Memory: WasmMemoryClass } }).WebAssembly;

/** The memory of one interpreter. It has a maximum, and knows whether more was wanted last. */
export class BoundedMemory extends Memory {
  readonly maxBytes: number;
  isExhausted = false;

  constructor(maxBytes: number) {
    const maximum = Math.max(LEAST_PAGES, Math.floor(maxBytes / PAGE_BYTES));
    super({ initial: LEAST_PAGES, maximum });
    this.maxBytes = maximum * PAGE_BYTES;
  }

  /** The interpreter asks for much first, and for less where it does not get that. */
  override grow(pages: number): number {
    this.isExhausted = true;
    const before = super.grow(pages);
    this.isExhausted = false;
    return before;
  }
}
