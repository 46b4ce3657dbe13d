const PAGE_BYTES = 64 * 1024;
/** Initial memory that the compiled interpreter requires. */
const MIN_PAGES = 256;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
type WasmMemoryClass = new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory;

// Node has WebAssembly; TypeScript declares it only for browsers.
const { Memory } = (globalThis as unknown as { WebAssembly: { readonly Memory: WasmMemoryClass } }).WebAssembly;

/** The memory of one interpreter. It has a maximum, and remembers whether the last attempt to grow failed. */
export class BoundedMemory extends Memory {
  readonly maxBytes: number;
  isExhausted = false;

  constructor(maxBytes: number) {
    const maximum = Math.max(MIN_PAGES, Math.floor(maxBytes / PAGE_BYTES));
    super({ initial: MIN_PAGES, maximum });
    this.maxBytes = maximum * PAGE_BYTES;
  }

  /** The interpreter first requests much, and less if that fails. */
  override grow(pages: number): number {
    this.isExhausted = true;
    const before = super.grow(pages);
    this.isExhausted = false;
    return before;
  }
}
