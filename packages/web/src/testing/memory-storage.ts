/** The storage of a browser in memory. `maxChars`: longer texts do not fit. */
export class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();
  readonly #maxChars: number;

  constructor(maxChars = Number.POSITIVE_INFINITY) {
    this.#maxChars = maxChars;
  }

  get length(): number {
    return this.#items.size;
  }

  key = (place: number): string | null => [...this.#items.keys()][place] ?? null;
  getItem = (key: string): string | null => this.#items.get(key) ?? null;
  removeItem = (key: string): void => void this.#items.delete(key);
  clear = (): void => this.#items.clear();

  setItem = (key: string, value: string): void => {
    if (value.length > this.#maxChars) throw new DOMException("full", "QuotaExceededError");
    this.#items.set(key, value);
  };
}
