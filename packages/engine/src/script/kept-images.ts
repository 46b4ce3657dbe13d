import type { MemoryImage } from "./memory-images.ts";

/** Total size of all images of one interpreter. */
export const KEPT_BYTES = 16 << 20;

/** Images by what was prepared in them; the least recently used ones go when space runs out. */
export class KeptImages {
  readonly #images = new Map<string, MemoryImage>();
  #bytes = 0;

  find(key: string): MemoryImage | undefined {
    const image = this.#images.get(key);
    if (image === undefined) return undefined;
    this.#images.delete(key);
    this.#images.set(key, image);
    return image;
  }

  keep(key: string, image: MemoryImage): void {
    this.#images.set(key, image);
    this.#bytes += image.sizeBytes;
    for (const [oldest, { sizeBytes }] of this.#images) {
      if (this.#bytes <= KEPT_BYTES) return;
      this.#images.delete(oldest);
      this.#bytes -= sizeBytes;
    }
  }
}
